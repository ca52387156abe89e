import CommandRunning
import Cryptography
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestSigning

/// The scheme's implementation in Python, which shares no code with the library, and the library agree.
@Suite(.timeLimit(.minutes(5))) struct PythonAgreementTests {
  private let script = SignatureVectors.folder.appending(path: "signatures.py").path

  private func python(_ arguments: String..., input: Data = Data()) async throws -> [UInt8] {
    var command = Command(words: ["python3", "-B", script] + arguments)
    command.input = Array(input)
    command.mergesErrors = false
    let outcome = try await command.run()
    #expect(outcome.status == 0, "\(outcome)")
    return outcome.bytes
  }

  @Test("C7: Python recomputes every vector of the specification")
  func vectors() async throws {
    let vectors = try SignatureVectors.document.get()
    let file = SignatureVectors.folder.appending(path: "vectors.json").path
    let output = String(decoding: try await python("check", file), as: UTF8.self)
    #expect(
      output == "\(vectors.signatures.count) signatures, \(vectors.verifications.count) verifications, "
        + "\(vectors.responses.count) responses, \(vectors.presigned.count) presigned, 0 disagreements\n")
  }

  @Test("Python finds a vector whose signature or outcome was changed")
  func changedVector() async throws {
    let folder = try TemporaryFolder(prefix: "vectors")
    let file = folder.url.appending(path: "vectors.json")
    let text = try String(
      contentsOf: SignatureVectors.folder.appending(path: "vectors.json"), encoding: .utf8)
    let vectors = try SignatureVectors.document.get()
    let signature = try #require(vectors.signatures.first?.added?.last?.last)
    try Data(text.replacing(signature, with: String(repeating: "0", count: 64)).utf8).write(to: file)
    let outcome = try await Command("python3", "-B", script, "check", file.path).run()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("disagreement: minimal GET"), "\(outcome)")
  }

  @Test("C7: Python accepts random requests that the library signs, and refuses them once changed")
  func verifiedByPython() async throws {
    var generator = SeededRandom(seed: 15)
    var requests: [RequestToVerify] = []
    for number in 0..<200 {
      let unsigned = Self.random(number, &generator)
      var request = RequestToVerify(
        method: unsigned.method, authority: unsigned.authority, path: unsigned.path,
        fields: unsigned.fields + (try unsigned.signed()), body: unsigned.body, keyID: unsigned.keyID,
        secret: unsigned.secret, time: unsigned.time)
      requests.append(request)
      request.body += "00"
      requests.append(request)
    }
    let output = try await python("verify", input: try JSONEncoder().encode(requests))
    let outcomes = try JSONDecoder().decode([String].self, from: Data(output))
    #expect(outcomes == (0..<200).flatMap { _ in ["accepted", "mismatch"] })
  }

  @Test("C7: The library accepts random requests that Python signs, and refuses them once changed")
  func signedByPython() async throws {
    var generator = SeededRandom(seed: 51)
    let requests = (0..<200).map { Self.random($0, &generator) }
    let output = try await python("sign", input: try JSONEncoder().encode(requests))
    let added = try JSONDecoder().decode([[[String]]].self, from: Data(output))
    #expect(added.count == requests.count)
    for (request, added) in zip(requests, added) {
      #expect(try request.signed() == added)
      var received = RequestToVerify(
        method: request.method, authority: request.authority, path: request.path,
        fields: request.fields + added, body: request.body)
      let time = WallTime(secondsSince1970: request.time)
      let verifier = SignatureVerifier(
        keys: SigningKeys(try request.key()), start: WallTime(secondsSince1970: 0),
        time: TimeSource(TestClock(), wall: { time }))
      #expect(verifier.outcome(of: try received.signedRequest()) == "accepted")
      received.path += received.path.contains("?") ? "&x=1" : "?x=1"
      #expect(verifier.outcome(of: try received.signedRequest()) == "mismatch")
    }
  }

  /// Returns a request of separators, reserved characters and encodings.
  private static func random(_ number: Int, _ generator: inout SeededRandom) -> RequestToSign {
    let pieces = [
      "a", "b", "=", "&", "+", "%20", "%2f", "%2F", "%", "%zz", "?", "/", ";", "上", "%E4%B8%8A", "%ff", "~",
      ".",
    ]
    func text(_ counts: ClosedRange<Int>) -> String {
      (0..<Int.random(in: counts, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
    }
    let hasAPI = Bool.random(using: &generator)
    let body = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let authorities = ["A.example", "a.example:80", "a.example:8080", "[::1]:443", "a.example:", "a:080"]
    return RequestToSign(
      keyID: "key-\(number)", secret: Hexadecimal.encode(secret),
      time: Int64.random(in: 1...9_999_999_999, using: &generator),
      nonce: Nonce(high: generator.next(), low: generator.next()).description,
      method: ["GET", "POST", "get", "X-Y"].randomElement(using: &generator) ?? "GET",
      authority: authorities.randomElement(using: &generator) ?? "",
      api: hasAPI
        ? .init(service: text(0...3), name: text(0...3)) : nil,
      path: "/" + text(0...12),
      fields: [
        ["Accept", "x" + text(0...3)], ["X-A", "1"], ["x-a", text(1...3)], ["Cookie", "a=1"],
        ["Cookie", "b"],
      ],
      covering: ["X-A", "Cookie", "Accept", "Absent", "x-a"].filter { _ in Bool.random(using: &generator) },
      body: Hexadecimal.encode(body))
  }
}
