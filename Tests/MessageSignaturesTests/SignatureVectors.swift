import Cryptography
import Foundation
import Interception
import Testing

@testable import MessageSignatures

/// The test vectors of RFC 9421, located next to the package's folder.
struct SignatureVectors: Decodable {
  struct Key: Decodable {
    let publicKeyPEM: String?
    let privateKeyPEM: String?
    let base64: String?
  }

  struct Message: Decodable {
    let kind: String
    let method: String?
    let target: String?
    let scheme: String?
    let status: Int?
    let headers: [[String]]
    let trailers: [[String]]?
    let body: String
  }

  /// A signature over a message.
  struct Case: Decodable {
    let id: String
    let algorithm: String
    let keyid: String
    let deterministic: Bool
    let label: String
    let message: String?
    let inlineMessage: Message?
    let inlineRequest: Message?
    let signatureParams: String
    let signatureBase: String?
    let signatureInput: String
    let signature: String
    let signatureBase64: String
    let valid: Bool
  }

  struct Component: Decodable {
    struct Parameter: Decodable {
      let key: String
      let value: BareItem

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        key = try container.decode(String.self)
        if let text = try? container.decode(String.self) {
          value = .string(text)
        } else {
          value = .boolean(try container.decode(Bool.self))
        }
      }
    }

    let name: String
    let params: [Parameter]

    var item: StructuredItem {
      var item = StructuredItem(value: .string(name))
      for parameter in params { item.parameters.set(parameter.key, to: parameter.value) }
      return item
    }
  }

  /// A component of a message and its line in the base, or the reason why it has none.
  struct ComponentCase: Decodable {
    let id: String
    let message: Message
    let component: Component
    let line: String?
    let error: String?
  }

  struct Sample: Decodable {
    let id: String
    let kind: String
    let value: String
    let serialized: String
  }

  let keys: [String: Key]
  let messages: [String: Message]
  let cases: [Case]
  let sectionCases: [Case]
  let componentValues: [ComponentCase]
  let signatureErrors: [ComponentCase]
  let fieldSamples: [Sample]

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/vectors/signing").standardizedFileURL

  /// Whether the suites can run; on CI they must.
  static var mustRun: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true"
      || FileManager.default.fileExists(atPath: folder.path)
  }

  static func read() throws -> SignatureVectors {
    try JSONDecoder().decode(
      SignatureVectors.self, from: Data(contentsOf: folder.appending(path: "rfc9421.json")))
  }

  /// Returns the key of a case; for verification only if `isPublic`.
  func key(of vector: Case, isPublic: Bool) throws -> MessageKey {
    let algorithm = try #require(SignatureAlgorithm(rawValue: vector.algorithm))
    let key = try #require(keys[vector.keyid])
    if let secret = key.base64.flatMap({ Data(base64Encoded: $0) }) {
      return try MessageKey(id: vector.keyid, sharedSecret: [UInt8](secret))
    }
    if isPublic {
      return try MessageKey(
        id: vector.keyid, algorithm: algorithm, publicKeyPEM: try #require(key.publicKeyPEM))
    }
    return try MessageKey(
      id: vector.keyid, algorithm: algorithm, privateKeyPEM: try #require(key.privateKeyPEM))
  }

  /// Whether the cryptographic library has the algorithm of a case; if not, its key must be refused for that.
  func isSupported(_ vector: Case) throws -> Bool {
    let algorithm = try #require(SignatureAlgorithm(rawValue: vector.algorithm))
    guard let scheme = algorithm.scheme, !scheme.isSupported else { return true }
    for isPublic in [true, false] {
      #expect(throws: MessageKeyError(.cryptography(operation: "RSA")), "\(vector.id)") {
        try key(of: vector, isPublic: isPublic)
      }
    }
    return false
  }

  /// Returns the message of a case, with its signature.
  func message(of vector: Case) throws -> SignableMessage {
    let message = try #require(vector.inlineMessage ?? vector.message.flatMap { messages[$0] })
    var signable = try message.signable()
    // The messages of appendix B.1 are printed without the signatures of B.2.
    if signable.values(of: "signature") == nil {
      signable.fields.append(.init(name: "signature-input", value: FieldText(vector.signatureInput.utf8)))
      signable.fields.append(.init(name: "signature", value: FieldText(vector.signature.utf8)))
    }
    return signable
  }
}

extension SignatureVectors.Message {
  func signable() throws -> SignableMessage {
    let fields = headers.map { (name: $0[0], value: $0[1]) }
    let trailers = (trailers ?? []).map { (name: $0[0], value: $0[1]) }
    let content = SignableMessage.Content.bytes(Array(body.utf8))
    if kind == "response" {
      return SignableMessage(
        status: try #require(status), fields: fields, content: content, trailers: trailers)
    }
    return SignableMessage(
      method: try #require(method), scheme: scheme ?? "https", target: try #require(target), fields: fields,
      content: content, trailers: trailers)
  }
}
