import Cryptography
import Foundation
import Interception
import Testing

@testable import MessageSignatures

@Suite(.enabled(if: SignatureVectors.mustRun, "Requires ../shared/vectors/signing"))
struct SignatureVectorTests {
  private let vectors: SignatureVectors

  init() throws { vectors = try SignatureVectors.read() }

  private var cases: [SignatureVectors.Case] { vectors.cases + vectors.sectionCases }

  /// A policy that requires nothing but the signature of a label.
  private func policy(_ label: String) -> SignaturePolicy {
    var policy = SignaturePolicy(requiring: [], requiresNonce: false)
    policy.selection = .label(label)
    return policy
  }

  private func verify(_ vector: SignatureVectors.Case) throws -> VerifiedSignature {
    let message = try vectors.message(of: vector)
    let parameters = try ReceivedSignature(of: message, selecting: .label(vector.label)).parameters
    let created = try #require(parameters.created)
    let verifier = MessageVerifier(
      keys: MessageKeys(try vectors.key(of: vector, isPublic: true)), policy: policy(vector.label),
      start: WallTime(secondsSince1970: 0),
      time: TimeSource(ContinuousClock(), wall: { WallTime(secondsSince1970: created + 1) }))
    return try verifier.verify(message, inResponseTo: try vector.inlineRequest?.signable())
  }

  @Test("All 20 signatures of RFC 9421 are accepted or refused as it says")
  func verification() throws {
    print(
      "rfc9421.json: \(vectors.cases.count) cases of appendix B, \(vectors.sectionCases.count) of the text")
    for vector in cases where try vectors.isSupported(vector) {
      if vector.valid {
        let verified = try verify(vector)
        #expect(verified.keyID == vector.keyid, "\(vector.id)")
        #expect(verified.algorithm.rawValue == vector.algorithm, "\(vector.id)")
      } else {
        #expect(throws: MessageSignatureError(.mismatch), "\(vector.id)") { try verify(vector) }
      }
    }
    #expect(cases.count == 20)
  }

  @Test("The signature bases of RFC 9421 are rebuilt from the messages")
  func bases() throws {
    var run = 0
    for vector in cases where vector.valid {
      let message = try vectors.message(of: vector)
      let received = try ReceivedSignature(of: message, selecting: .label(vector.label))
      #expect(received.parameters.text == vector.signatureParams, "\(vector.id)")
      let base = try SignatureBase.bytes(
        of: received.parameters,
        in: ComponentValues(
          message: message, request: try vector.inlineRequest?.signable(), fieldTypes: [:]))
      #expect(String(decoding: base, as: UTF8.self) == vector.signatureBase, "\(vector.id)")
      run += 1
    }
    #expect(run == 17)
  }

  @Test("Signing again gives the same bytes with a deterministic algorithm, and valid ones with the others")
  func signing() throws {
    #if canImport(CryptoKit)
    // CryptoKit adds random bytes to signatures of Ed25519.
    let (deterministic, count) = (["hmac-sha256"], 1)
    #else
    let deterministic = ["hmac-sha256", "ed25519", "rsa-v1_5-sha256"]
    let count = SignatureScheme.rsaPKCS1SHA256.isSupported ? 7 : 6
    #endif
    var identical = 0
    for vector in cases where try vector.valid && vectors.isSupported(vector) {
      let base = Array(try #require(vector.signatureBase).utf8)
      let signature = try vectors.key(of: vector, isPublic: false).sign(base)
      #expect(try vectors.key(of: vector, isPublic: true).verifies(signature, of: base), "\(vector.id)")
      guard vector.deterministic, deterministic.contains(vector.algorithm) else { continue }
      #expect(Data(signature).base64EncodedString() == vector.signatureBase64, "\(vector.id)")
      identical += 1
    }
    #expect(identical == count)
  }

  @Test("All 39 component values of RFC 9421 give their line of the base")
  func components() throws {
    print("rfc9421.json: \(vectors.componentValues.count) component values")
    for vector in vectors.componentValues { #expect(try line(of: vector) == vector.line, "\(vector.id)") }
    #expect(vectors.componentValues.count == 39)
  }

  @Test("All 9 faults of components are errors that name the component")
  func faults() throws {
    print("rfc9421.json: \(vectors.signatureErrors.count) faults")
    for vector in vectors.signatureErrors {
      do {
        let line = try line(of: vector)
        Issue.record("\(vector.id) gives \(line)")
      } catch let error as MessageSignatureError {
        #expect("\(error)".contains("\"\(vector.component.name)\""), "\(vector.id): \(error)")
        switch error.reason {
        case .missingComponent, .invalidComponent: break
        default: Issue.record("\(vector.id): \(error)")
        }
      }
    }
    #expect(vectors.signatureErrors.count == 9)
  }

  @Test("The 4 fields of RFC 9421 are serialized as they are printed")
  func samples() throws {
    for sample in vectors.fieldSamples {
      var writer = StructuredFieldWriter()
      if sample.kind == "signature-params" {
        writer.append(try StructuredFieldParser.list(sample.value))
      } else {
        writer.append(try StructuredFieldParser.dictionary(sample.value))
      }
      #expect(writer.text == sample.serialized, "\(sample.id)")
    }
    print("rfc9421.json: \(vectors.fieldSamples.count) fields")
    #expect(vectors.fieldSamples.count == 4)
  }

  private func line(of vector: SignatureVectors.ComponentCase) throws -> String {
    let values = ComponentValues(
      message: try vector.message.signable(), request: nil, fieldTypes: ["example-dict": .dictionary])
    let component = try MessageComponent(vector.component.item)
    return "\(component.identifier): \(try values.value(of: component))"
  }
}
