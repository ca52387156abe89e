import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import VendorSignatures

/// Signs the same requests with botocore, Amazon's own library for Python.
@Suite(
  .enabled(if: Botocore.mustRun, "Requires python3 with botocore (Debian's python3-botocore)"),
  .timeLimit(.minutes(5)))
struct BotocoreTests {
  struct Sample: Codable, Sendable {
    var method: String
    var authority: String
    var target: String
    var fields: [[String]]
    var body: String
    var region: String
    var service: String
    var keyID: String
    var secret: String
    var token: String?
    var timestamp: String
    /// The lifetime of a URL in seconds; nil for a signature in the fields.
    var lifetime: Int?
    /// Whether the body is left unsigned.
    var isUnsigned: Bool
  }

  @Test("botocore computes the same signatures for 400 requests, in fields and in URLs")
  func agreement() async throws {
    var random = SeededRandom(seed: 20_250_815)
    let samples = (0..<400).map { _ in Self.sample(using: &random) }
    let theirs = try await Botocore.signatures(of: samples)
    #expect(theirs.count == samples.count)
    for (sample, expected) in zip(samples, theirs) {
      let sent = try await Self.signed(sample)
      let own =
        sent.head.headerFields[.authorization]?.part("Signature=")
        ?? sent.head.path?.components(separatedBy: "X-Amz-Signature=").last
      #expect(own == expected, "\(sample)")
    }
  }

  private static func signed(_ sample: Sample) async throws -> Request {
    let signature = try AWSSignature(
      region: sample.region, service: sample.service,
      placement: sample.lifetime.map { .query(lifetime: .seconds($0)) } ?? .fields,
      payload: sample.isUnsigned ? .unsigned : .hashed)
    let credentials = try VendorCredentials(
      keyID: sample.keyID, secret: sample.secret, sessionToken: sample.token)
    let request = Request(
      method: try #require(HTTPRequest.Method(sample.method)), authority: sample.authority,
      path: sample.target,
      headerFields: try HTTPFields(pairs: sample.fields), body: .text(sample.body))
    return try await VendorSignatureInterceptor(
      signature, with: credentials, time: .fixed(try SignatureVectors.time(sample.timestamp))
    ).signed(request)
  }

  /// Returns a request as botocore itself would make it: paths and queries are percent-encoded.
  private static func sample(using random: inout SeededRandom) -> Sample {
    func word(_ alphabet: String, _ lengths: ClosedRange<Int>) -> String {
      let letters = Array(alphabet)
      return String(
        (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a"
        })
    }
    func encoded(_ text: String) -> String {
      var result = CanonicalText(reserving: 0)
      result.append(encoding: text.utf8)
      return result.string
    }
    let strange = "abcXYZ019-._~ /=&+%*(){}[]'\"<>é中"
    let storesObjects = Bool.random(using: &random)
    let isURL = Bool.random(using: &random)
    var segments = (0..<Int.random(in: 0...4, using: &random)).map { _ in encoded(word(strange, 1...6)) }
    if !storesObjects, Bool.random(using: &random) { segments += ["..", "", "x", "."] }
    var names = (0..<Int.random(in: 0...5, using: &random)).map { _ in encoded(word(strange, 1...5)) }
    // botocore keeps one of several items of the same name in a URL that it signs.
    if isURL { names = Array(Set(names)) } else if let first = names.first { names.append(first) }
    let query = names.map { "\($0)=\(encoded(word(strange, 0...6)))" }.joined(separator: "&")
    var fields = (0..<Int.random(in: 0...4, using: &random)).map { number in
      ["x-amz-meta-\(word("abcXYZ", 1...5))-\(number)", word("ab ,;=\"X", 1...9) + "z"]
    }
    if let first = fields.first { fields.append([first[0], "again"]) }
    if Bool.random(using: &random) { fields.append(["Content-Type", "application/json"]) }
    return Sample(
      method: ["GET", "PUT", "POST", "DELETE"].randomElement(using: &random) ?? "GET",
      authority: ["b.s3.amazonaws.com", "example.amazonaws.com:8443"].randomElement(using: &random) ?? "b",
      target: "/" + segments.joined(separator: "/") + (query.isEmpty ? "" : "?\(query)"), fields: fields,
      body: isURL ? "" : word(strange, 0...200),
      region: ["us-east-1", "eu-central-1"].randomElement(using: &random) ?? "r",
      service: storesObjects ? "s3" : "execute-api", keyID: "AKID" + word("ABC019", 4...16),
      secret: word(strange, 1...60), token: Bool.random(using: &random) ? word("abcXYZ/+=", 10...200) : nil,
      timestamp:
        "20\(word("12", 1...1))\(word("0123456789", 1...1))0\(word("123456789", 1...1))1\(word("0123456789", 1...1))T1\(word("0123456789", 1...1))3045Z",
      lifetime: isURL ? Int.random(in: 1...604_800, using: &random) : nil,
      isUnsigned: isURL && storesObjects)
  }
}

/// botocore, run by Python.
private enum Botocore {
  static let mustRun: Bool = {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", "import botocore.auth"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  static func signatures(of samples: [BotocoreTests.Sample]) async throws -> [String] {
    var command = Command("python3", "-c", script)
    command.input = Array(try JSONEncoder().encode(samples))
    let outcome = try await command.run()
    guard outcome.status == 0 else { throw SignatureVectors.Malformed(text: outcome.output) }
    return outcome.lines
  }

  // The time is set in the context, because the function that botocore reads it from differs between
  // versions.
  private static let script = """
    import json, sys
    from botocore import auth, awsrequest, credentials
    for s in json.load(sys.stdin):
        keys = credentials.Credentials(s['keyID'], s['secret'], s.get('token'))
        url = 'https://' + s['authority'] + s['target']
        r = awsrequest.AWSRequest(method=s['method'], url=url, data=s['body'].encode())
        for name, value in s['fields']:
            r.headers.add_header(name, value)
        r.context['timestamp'] = s['timestamp']
        s3, life = s['service'] == 's3', s.get('lifetime')
        if life is None:
            signer = (auth.S3SigV4Auth if s3 else auth.SigV4Auth)(keys, s['service'], s['region'])
        else:
            kind = auth.S3SigV4QueryAuth if s3 else auth.SigV4QueryAuth
            signer = kind(keys, s['service'], s['region'], expires=life)
        signer._modify_request_before_signing(r)
        text = signer.string_to_sign(r, signer.canonical_request(r))
        print(signer.signature(text, r))
    """
}
