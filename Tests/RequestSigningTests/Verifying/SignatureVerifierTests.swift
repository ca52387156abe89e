import Cryptography
import HTTPTypes
import Interception
import Synchronization
import Testing

@testable import RequestSigning

@Suite struct SignatureVerifierTests {
  private let clock = WallClock()

  private func verifier(
    _ keys: SigningKeys, capacity: Int = 1_000, start: WallTime? = WallTime(secondsSince1970: 0),
    requiring: [HTTPField.Name] = [.authorization]
  ) -> SignatureVerifier {
    SignatureVerifier(
      keys: keys, requiring: requiring, nonceCapacity: capacity, start: start, time: clock.time)
  }

  private func refusal(_ verifier: SignatureVerifier, _ signed: Signed) -> SignatureError? {
    do throws(SignatureError) {
      try verifier.verify(signed.request)
      return nil
    } catch { return error }
  }

  @Test("An unchanged request is accepted, and its claims are returned")
  func accepted() throws {
    let key = try Signed.key()
    let claims = try verifier(SigningKeys(key)).verify(Signed(key: key).request)
    #expect(claims.keyID == "app-1")
    #expect(claims.api == APIIdentity(service: "estate", name: "houses.save"))
    #expect(claims.time == Signed.now)
    #expect(claims.nonce == Nonce(high: 1, low: 1))
    #expect(claims.coveredFields == [.authorization, .contentType])
  }

  @Test("A covered field is covered byte for byte, whether or not it is UTF-8")
  func opaqueField() throws {
    let key = try Signed.key()
    let name = try #require(HTTPField.Name("X-City"))
    let fields = HTTPFields([HTTPField(name: name, value: [0x4A, 0xE9])])
    var signed = try Signed(key: key, fields: fields, covering: [name])
    #expect(refusal(verifier(SigningKeys(key), requiring: []), signed) == nil)
    signed.fields[fields: name] = [HTTPField(name: name, value: [0x4A, 0xE8])]
    #expect(refusal(verifier(SigningKeys(key), requiring: []), signed) == .mismatch)
  }

  @Test("A body hashed while it was received is accepted")
  func hashedBody() throws {
    let key = try Signed.key()
    let signed = try Signed(key: key)
    let request = SignedRequest(
      method: signed.method, authority: signed.authority, path: signed.path, headerFields: signed.fields,
      bodyDigest: try Digest.sha256(signed.body))
    #expect(throws: Never.self) { try verifier(SigningKeys(key)).verify(request) }
  }

  struct Tampering: CustomTestStringConvertible {
    let testDescription: String
    let spoil: @Sendable (inout Signed) -> Void

    init(_ description: String, _ spoil: @escaping @Sendable (inout Signed) -> Void) {
      testDescription = description
      self.spoil = spoil
    }
  }

  static let tamperings: [Tampering] = [
    Tampering("method") { $0.method = "PUT" },
    Tampering("method's case") { $0.method = "post" },
    Tampering("authority") { $0.authority = "evil.example" },
    Tampering("port") { $0.authority += ":8443" },
    Tampering("path") { $0.path = "/v1/house?city=sh&page=2" },
    Tampering("path's case") { $0.path = "/V1/houses?city=sh&page=2" },
    Tampering("parameter's value") { $0.path = "/v1/houses?city=sh&page=3" },
    Tampering("parameter's name") { $0.path = "/v1/houses?city=sh&pages=2" },
    Tampering("parameter added") { $0.path += "&to=mallory" },
    Tampering("parameter removed") { $0.path = "/v1/houses?city=sh" },
    Tampering("parameters reordered") { $0.path = "/v1/houses?page=2&city=sh" },
    Tampering("body") { $0.body[3] ^= 1 },
    Tampering("body extended") { $0.body += Array("x".utf8) },
    Tampering("body emptied") { $0.body = [] },
    Tampering("time") { $0.fields[SignatureFields.time] = "1700000001" },
    Tampering("nonce") { $0.fields[SignatureFields.nonce] = Nonce(high: 1, low: 2).description },
    Tampering("API") { $0.fields[SignatureFields.api] = "estate/houses.delete" },
    Tampering("API removed") { $0.fields[SignatureFields.api] = nil },
    Tampering("covered field's value") { $0.fields[.authorization] = "Bearer st0len" },
    Tampering("covered field doubled") {
      $0.fields.append(HTTPField(name: .contentType, value: "text/html"))
    },
    Tampering("covered names reordered") {
      $0.fields[SignatureFields.covered] = "content-type authorization"
    },
    Tampering("covered name removed") { $0.fields[SignatureFields.covered] = "authorization" },
    Tampering("key") { $0.fields[SignatureFields.key] = "app-2" },
    Tampering("signature's first bit") { signed in
      let digits = (signed.fields[SignatureFields.signature] ?? "").dropFirst(3)
      signed.fields[SignatureFields.signature] =
        "v2." + (digits.first == "0" ? "1" : "0") + digits.dropFirst()
    },
    Tampering("signature's last bit") { signed in
      let text = signed.fields[SignatureFields.signature] ?? ""
      signed.fields[SignatureFields.signature] = text.dropLast() + (text.last == "0" ? "1" : "0")
    },
  ]

  @Test("C7: Any change to a covered part is a mismatch", arguments: tamperings)
  func tampered(_ tampering: Tampering) throws {
    let key = try Signed.key()
    // A second key with the same secret, so that only the signature distinguishes the ids.
    let verifier = verifier(SigningKeys(key, accepting: [try Signed.key("app-2")]))
    var signed = try Signed(key: key)
    tampering.spoil(&signed)
    #expect(refusal(verifier, signed) == .mismatch)
    #expect(verifier.nonceCount == 0, "The nonce of an invalid signature was remembered.")
    #expect(try refusal(verifier, Signed(key: key)) == nil, "A forgery used up the genuine request's nonce.")
  }

  static let absences: [(HTTPField.Name, SignatureError)] =
    [SignatureFields.key, SignatureFields.time, SignatureFields.nonce, SignatureFields.signature].map {
      ($0, .missing($0))
    } + [
      (SignatureFields.covered, .uncovered(.authorization)), (.authorization, .missing(.authorization)),
      (.contentType, .missing(.contentType)),
    ]

  @Test(
    "A signature of another version of the scheme is refused as such",
    arguments: [("", 1), ("v1.", 1), ("v3.", 3), ("v999.", 999)])
  func version(_ prefix: String, _ version: Int) throws {
    let key = try Signed.key()
    var signed = try Signed(key: key)
    let digits = (signed.fields[SignatureFields.signature] ?? "").dropFirst(3)
    signed.fields[SignatureFields.signature] = prefix + digits
    #expect(refusal(verifier(SigningKeys(key)), signed) == .unsupportedVersion(version))
  }

  @Test("A missing field is named", arguments: absences)
  func missing(_ name: HTTPField.Name, _ fault: SignatureError) throws {
    let key = try Signed.key()
    var signed = try Signed(key: key)
    signed.fields[name] = nil
    #expect(refusal(verifier(SigningKeys(key)), signed) == fault)
  }

  @Test(
    "A malformed field is named",
    arguments: [
      (SignatureFields.key, ["", "a b", "a,b"]),
      (
        SignatureFields.time,
        ["", "x", "-1", "+1700000000", "01700000000", "1700000000.5", "1700000000000", "１"]
      ),
      (SignatureFields.nonce, ["", "0", "0001020304050607", "000102030405060708090A0B0C0D0E0F"]),
      (
        SignatureFields.signature,
        [
          "", "abc", String(repeating: "A", count: 64), String(repeating: "0", count: 66),
          "v2." + String(repeating: "A", count: 64), "v2." + String(repeating: "0", count: 66), "v2.", "v.",
          "v01.00", "vx.00", "v1000.00",
        ]
      ),
      (SignatureFields.api, ["", "a", "a/b/c", "a%2Fb/c", "a b/c"]),
      (
        SignatureFields.covered,
        [
          "", "Authorization", "a  b", "authorization authorization", "switchyard-nonce", "a,b",
          (0..<33).map { "f\($0)" }.joined(separator: " "),
        ]
      ),
    ])
  func malformed(_ name: HTTPField.Name, _ values: [String]) throws {
    let key = try Signed.key()
    for value in values {
      var signed = try Signed(key: key)
      signed.fields[name] = value
      #expect(refusal(verifier(SigningKeys(key)), signed) == .malformed(name), "\(value)")
    }
    var signed = try Signed(key: key)
    signed.fields.append(HTTPField(name: name, value: signed.fields[name] ?? ""))
    #expect(refusal(verifier(SigningKeys(key)), signed) == .malformed(name), "twice")
  }

  @Test("A request is accepted once")
  func acceptedOnce() throws {
    let key = try Signed.key()
    let verifier = verifier(SigningKeys(key))
    let signed = try Signed(key: key)
    #expect(refusal(verifier, signed) == nil)
    #expect(refusal(verifier, signed) == .replayedNonce)
    clock.set(Signed.now.advanced(by: .seconds(300)))
    #expect(refusal(verifier, signed) == .replayedNonce)
    clock.set(Signed.now.advanced(by: .seconds(301)))
    #expect(refusal(verifier, signed) == .staleTimestamp(skew: .seconds(301)))
  }

  @Test("Authenticating doesn't remember the nonce")
  func authenticateOnly() throws {
    let key = try Signed.key()
    let verifier = verifier(SigningKeys(key))
    let signed = try Signed(key: key)
    for _ in 0..<2 { #expect(throws: Never.self) { try verifier.authenticate(signed.request) } }
    #expect(verifier.nonceCount == 0)
  }

  @Test(
    "The window is five minutes in either direction",
    arguments: [
      (300, nil), (-300, nil), (301, .staleTimestamp(skew: .seconds(301))),
      (-301, .staleTimestamp(skew: .seconds(-301))), (86_400, .staleTimestamp(skew: .seconds(86_400))),
    ] as [(Int64, SignatureError?)])
  func window(_ skew: Int64, _ fault: SignatureError?) throws {
    let key = try Signed.key()
    clock.set(Signed.now.advanced(by: .seconds(skew)))
    #expect(try refusal(verifier(SigningKeys(key)), Signed(key: key)) == fault)
  }

  @Test("A signature made just before midnight is valid after it")
  func midnight() throws {
    let key = try Signed.key()
    let midnight = WallTime(secondsSince1970: 86_400 * 20_000)
    clock.set(midnight.advanced(by: .seconds(5)))
    let signed = try Signed(key: key, at: midnight.advanced(by: .seconds(-1)))
    #expect(refusal(verifier(SigningKeys(key)), signed) == nil)
  }

  @Test("An unknown key and a wrong secret are distinguished")
  func unknownKey() throws {
    let signed = try Signed(key: Signed.key("stranger"))
    #expect(try refusal(verifier(SigningKeys(Signed.key())), signed) == .unknownKey)
    #expect(try refusal(verifier(SigningKeys(Signed.key("stranger", byte: 9))), signed) == .mismatch)
  }

  @Test("During a rotation both keys are accepted")
  func rotation() throws {
    let (old, new) = (try Signed.key("2025"), try Signed.key("2026", byte: 2))
    let verifier = verifier(SigningKeys(new, accepting: [old]))
    #expect(try refusal(verifier, Signed(key: old)) == nil)
    #expect(try refusal(verifier, Signed(key: new)) == nil, "The same nonce with another key was refused.")
  }

  @Test("An uncovered token is refused if covering it is required")
  func uncoveredToken() throws {
    let key = try Signed.key()
    let signed = try Signed(key: key, covering: [.contentType])
    #expect(refusal(verifier(SigningKeys(key)), signed) == .uncovered(.authorization))
    #expect(refusal(verifier(SigningKeys(key), requiring: []), signed) == nil)
  }

  @Test(
    "I8: A request that may have been accepted before the start is refused with 503, as it can't be checked",
    arguments: [0, 500_000_000])
  func signedBeforeStart(nanoseconds: Int64) throws {
    let key = try Signed.key()
    clock.set(Signed.now.advanced(by: .seconds(1)))
    let start = WallTime(secondsSince1970: Signed.now.seconds, nanoseconds: nanoseconds)
    let verifier = verifier(SigningKeys(key), start: start)
    for seconds in [-1, 0, 1, 299] as [Int64] {
      let early = try Signed(key: key, at: Signed.now.advanced(by: .seconds(seconds)))
      #expect(refusal(verifier, early)?.status == .serviceUnavailable, "signed \(seconds) s after the start")
    }
    let window = try Signed(key: key, at: Signed.now.advanced(by: .seconds(300)))
    #expect(refusal(verifier, window)?.status == (nanoseconds == 0 ? nil : .serviceUnavailable))
    #expect(try refusal(verifier, Signed(key: key, at: Signed.now.advanced(by: .seconds(301)))) == nil)
  }

  @Test("A request that was refused for its time is accepted later, once")
  func refusedForItsTime() throws {
    let key = try Signed.key()
    let verifier = verifier(SigningKeys(key))
    let early = try Signed(key: key, at: Signed.now.advanced(by: .seconds(301)))
    #expect(refusal(verifier, early) == .staleTimestamp(skew: .seconds(-301)))
    clock.set(Signed.now.advanced(by: .seconds(1)))
    #expect(refusal(verifier, early) == nil)
    #expect(refusal(verifier, early) == .replayedNonce)
  }

  @Test("At capacity a new request is refused, so that no old one can be replayed")
  func capacity() throws {
    let key = try Signed.key()
    let verifier = verifier(SigningKeys(key), capacity: 2)
    for low in 1...2 {
      #expect(try refusal(verifier, Signed(key: key, nonce: Nonce(high: 0, low: UInt64(low)))) == nil)
    }
    let third = try Signed(key: key, nonce: Nonce(high: 0, low: 3))
    #expect(refusal(verifier, third) == .tooManyNonces(limit: 2))
    #expect(SignatureError.tooManyNonces(limit: 2).status == .serviceUnavailable)
    #expect(try refusal(verifier, Signed(key: key, nonce: Nonce(high: 0, low: 1))) == .replayedNonce)
  }

  private final class Tally: Sendable {
    private let accepted = Mutex<[Nonce: Int]>([:])
    var counts: [Nonce: Int] { accepted.withLock { $0 } }
    func note(_ nonce: Nonce) { accepted.withLock { $0[nonce, default: 0] += 1 } }
  }

  @Test("Of many concurrent copies of a request exactly one is accepted", .timeLimit(.minutes(5)))
  func oneOfMany() async throws {
    let key = try Signed.key()
    let verifier = verifier(SigningKeys(key))
    let tally = Tally()
    let requests = try (0..<20).map { try Signed(key: key, nonce: Nonce(high: 0, low: $0)).request }
    await withTaskGroup { group in
      for _ in 0..<16 {
        group.addTask {
          for request in requests {
            guard let claims = try? verifier.verify(request) else { continue }
            tally.note(claims.nonce)
          }
        }
      }
    }
    let counts = tally.counts
    #expect(counts.count == 20)
    #expect(counts.values.allSatisfy { $0 == 1 })
    #expect(verifier.nonceCount == 20)
  }

  @Test("Every fault names a remedy, and none contains a value of the request")
  func remedies() throws {
    let faults: [SignatureError] = [
      .missing(SignatureFields.key), .malformed(SignatureFields.time), .uncovered(.authorization),
      .unknownKey, .unsupportedVersion(1),
      .staleTimestamp(skew: .seconds(301)), .expired(ago: .seconds(5)), .replayedNonce, .mismatch,
      .tooManyNonces(limit: 5), .unavailableNonces(NonceStoreError(.full, "It is full.")),
      .cryptography(operation: "SHA-256"),
    ]
    for fault in faults {
      #expect(fault.description.contains(";"), "\(fault) has no remedy")
      #expect(fault.status.code == 401 || fault.status.code == 503)
    }
    #expect(SignatureError.malformed(SignatureFields.time).description.contains("Switchyard-Time"))
  }

  @Test("C7: A Content-Type that was added to a signed request is refused")
  func addedContentType() throws {
    let key = try Signed.key()
    let signed = try Signed(key: key, covering: [.authorization])
    #expect(
      refusal(SignatureVerifier(keys: SigningKeys(key), time: clock.time), signed)
        == .uncovered(.contentType))
  }

  @Test(
    "C7: A field that overrides the method is always covered by the signer, and refused if it is not",
    arguments: ["X-HTTP-Method-Override", "x-http-method", "X-Method-Override"])
  func methodOverride(_ name: String) throws {
    let (key, name) = (try Signed.key(), try #require(HTTPField.Name(name)))
    var signed = try Signed(key: key)
    signed.fields[name] = "DELETE"
    #expect(refusal(verifier(SigningKeys(key), requiring: []), signed) == .uncovered(name))
    var fields = Signed.fields
    fields[name] = "DELETE"
    var overriding = try Signed(key: key, fields: fields, covering: [])
    #expect(refusal(verifier(SigningKeys(key), requiring: []), overriding) == nil)
    overriding.fields[name] = "PUT"
    #expect(refusal(verifier(SigningKeys(key), requiring: []), overriding) == .mismatch)
  }

  @Test(
    "C7: Queries that a server may read differently have different signatures",
    arguments: [
      ("q=a+b", "q=a%20b"), ("a", "a="), ("q=%zz", "q=%25zz"), ("a[]=1&a[0]=2", "a[0]=2&a[]=1"),
      ("a=1&b=2", "b=2&a=1"), ("q=%2f", "q=%2F"), ("%61=1", "a=1"), ("a=1", "a=1&"), ("a=1&&b=2", "a=1&b=2"),
      ("a=1", "&a=1"),
    ])
  func queries(_ query: String, _ other: String) throws {
    let key = try Signed.key()
    for (sent, received) in [(query, other), (other, query)] {
      var signed = try Signed(key: key, path: "/v1/houses?\(sent)")
      #expect(refusal(verifier(SigningKeys(key)), signed) == nil)
      signed.path = "/v1/houses?\(received)"
      #expect(refusal(verifier(SigningKeys(key)), signed) == .mismatch)
    }
    var empty = try Signed(key: key, path: "/v1/houses")
    empty.path += "?"
    #expect(refusal(verifier(SigningKeys(key)), empty) == .mismatch)
  }

  @Test(
    "I8: A verifier that is created later refuses what a previous one may have accepted, whatever the client's clock",
    arguments: [-200, 0, 200, 300])
  func restart(ahead: Int64) throws {
    let key = try Signed.key()
    let signed = try Signed(key: key, at: Signed.now.advanced(by: .seconds(ahead)))
    #expect(refusal(verifier(SigningKeys(key)), signed) == nil)
    clock.set(Signed.now.advanced(by: .seconds(5)))
    let restarted = verifier(SigningKeys(key), start: nil)
    for seconds in [5, 100, 300 + ahead] where seconds <= 300 + ahead {
      clock.set(Signed.now.advanced(by: .seconds(seconds)))
      let refusal = refusal(restarted, signed)
      guard case .unavailableNonces(let error) = refusal else {
        Issue.record("A replay after a restart: \(String(describing: refusal))")
        return
      }
      #expect(error.kind == .forgotten && refusal?.status == .serviceUnavailable)
    }
    // One window after the restart requests of exact clocks are accepted.
    clock.set(Signed.now.advanced(by: .seconds(305)))
    #expect(try refusal(restarted, Signed(key: key, at: clock.time.wallTime())) == nil)
  }
}
