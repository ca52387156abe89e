import Cryptography
import Foundation
import HTTPTypes
import Interception
import Testing

@testable import MessageSignatures

/// Signatures that another implementation makes and verifies.
@Suite(.enabled("python3-cryptography is not installed", { try await PythonPeer.isPresent() }))
struct PythonPeerTests {
  private typealias Job = PythonPeer.Job

  /// A key, and its form for the peer.
  private struct Pair {
    let key: MessageKey
    let form: [String: String]
  }

  private let body = Array("{\"price\":1}".utf8)

  private var head: HTTPRequest {
    var head = HTTPRequest(
      method: .post, scheme: "https", authority: "API.estate.example:8443",
      path: "/v1/houses?city=sh%20ang+hai&page=2&e=",
      headerFields: [.contentType: "application/json", .authorization: "Bearer t0ken"])
    head.headerFields.append(HTTPField(name: .accept, value: "application/json"))
    head.headerFields.append(HTTPField(name: .accept, value: "*/*"))
    return head
  }

  private func pairs() throws -> [Pair] {
    let secret = [UInt8](repeating: 7, count: 40)
    var pairs = [
      Pair(
        key: try MessageKey(id: "k", sharedSecret: secret),
        form: ["secret": Data(secret).base64EncodedString()])
    ]
    for (algorithm, pem): (SignatureAlgorithm, String) in [
      (.ed25519, TestKeys.ed25519Private), (.ecdsaP256SHA256, TestKeys.p256Private),
      (.rsaPSSSHA512, TestKeys.rsaPrivate), (.rsaPKCS1SHA256, TestKeys.rsaPrivate),
    ] where algorithm.scheme?.isSupported == true {
      pairs.append(
        Pair(key: try MessageKey(id: "k", algorithm: algorithm, privateKeyPEM: pem), form: ["pem": pem]))
    }
    return pairs
  }

  /// The number of algorithms; CryptoKit has none of the two with RSA.
  private let count = SignatureScheme.rsaPSSSHA512.isSupported ? 5 : 3

  private func options(_ components: [MessageComponent]) -> MessageSignatureOptions {
    MessageSignatureOptions(components: components, fieldsIfPresent: [.contentType, .authorization])
  }

  /// All that a request has.
  private var components: [MessageComponent] {
    [
      .method, .targetURI, .authority, .scheme, .requestTarget, .path, .query, .queryParameter("city"),
      .queryParameter("e"), .field(.accept), .field(.accept, .wrapped),
    ]
  }

  @Test("The peer accepts what is signed here with each algorithm, and refuses it for another message")
  func acceptsOurs() async throws {
    var jobs: [Job] = []
    for pair in try pairs() {
      var signed = head
      // The peer takes the URL as it is written, so the authority is spelled in lower case.
      signed.authority = "api.estate.example:8443"
      for field in try MessageSigner(key: pair.key, options: options(components)).sign(
        SignableMessage(signed, content: body), at: SignedMessage.now, nonce: "n")
      {
        signed.headerFields.append(field)
      }
      var job = Job(
        action: "verify", algorithm: pair.key.algorithm.rawValue, key: pair.form,
        message: Job.Message(signed, body: body))
      jobs.append(job)
      job.message.method = "PUT"
      jobs.append(job)
      job.message.method = "POST"
      job.message.body = Data("{}".utf8).base64EncodedString()
      jobs.append(job)
    }
    let results = try await PythonPeer.run(jobs, as: Bool.self)
    #expect(results == (0..<count).flatMap { _ in [true, false, false] })
  }

  @Test("What the peer signs with each algorithm is accepted here, and refused for another message")
  func acceptsTheirs() async throws {
    let pairs = try pairs()
    let identifiers =
      components.filter { $0 != .targetURI }.map(\.identifier)
      + ["\"content-digest\"", "\"authorization\"", "\"content-type\""]
    let jobs = pairs.map { pair in
      Job(
        action: "sign", algorithm: pair.key.algorithm.rawValue, key: pair.form,
        message: Job.Message(head, body: body), identifiers: identifiers,
        parameters: ";created=1700000000;keyid=\"k\";nonce=\"n\";alg=\"\(pair.key.algorithm.rawValue)\"")
    }
    let results = try await PythonPeer.run(jobs, as: [[String]].self)
    for (pair, fields) in zip(pairs, results) {
      func message(_ method: String) -> SignableMessage {
        SignableMessage(
          method: method, target: head.path ?? "",
          fields: [("Host", head.authority ?? "")] + fields.map { ($0[0], $0[1]) }, content: .bytes(body))
      }
      let verifier = MessageVerifier(
        keys: MessageKeys(pair.key), start: WallTime(secondsSince1970: 0), time: WallClock().time)
      #expect(throws: MessageSignatureError(.mismatch)) { try verifier.verify(message("PUT")) }
      let verified = try verifier.verify(message("POST"))
      #expect(verified.label == "peer" && verified.algorithm == pair.key.algorithm)
      #expect(verified.components.contains(.field(MessageSignatureFields.contentDigest)))
    }
    #expect(results.count == count)
  }

  @Test("The peer accepts a response that is bound to its request, and its own one is accepted here")
  func responses() async throws {
    let key = try MessageKey(id: "k", algorithm: .ed25519, privateKeyPEM: TestKeys.ed25519Private)
    let request = try SignedMessage(key: try SignedMessage.key())
    let form = ["pem": TestKeys.ed25519Private]
    var response = HTTPResponse(status: .created, headerFields: [.contentType: "application/json"])
    for field in try MessageSigner(key: key, options: .response).sign(
      SignableMessage(response, content: body), inResponseTo: request.message, at: SignedMessage.now)
    {
      response.headerFields.append(field)
    }
    let sent = Job.Message(request.head, body: request.body)
    let verifying = Job(
      action: "verify", algorithm: "ed25519", key: form, message: Job.Message(response, body: body),
      request: sent)
    #expect(try await PythonPeer.run([verifying], as: Bool.self) == [true])

    let signing = Job(
      action: "sign", algorithm: "ed25519", key: form,
      message: Job.Message(HTTPResponse(status: .created), body: body), request: sent,
      identifiers: [
        "\"@status\"", "\"content-digest\"", "\"@method\";req", "\"signature\";req;key=\"sig1\"",
      ],
      parameters: ";created=1700000000;keyid=\"k\"")
    let fields = try await PythonPeer.run([signing], as: [[String]].self)[0]
    let verifier = MessageVerifier(
      keys: MessageKeys(key), policy: .response, start: WallTime(secondsSince1970: 0), time: WallClock().time)
    let theirs = SignableMessage(
      status: 201, fields: fields.map { ($0[0], $0[1]) }, content: .bytes(body))
    #expect(throws: Never.self) { try verifier.verify(theirs, inResponseTo: request.message) }
    let other = try SignedMessage(key: try SignedMessage.key(), nonce: "other")
    #expect(throws: MessageSignatureError(.mismatch)) {
      try verifier.verify(theirs, inResponseTo: other.message)
    }
  }
}
