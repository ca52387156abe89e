import HTTPTypes
import Interception
import Testing

@testable import MessageSignatures

@Suite struct MessageVerifierTests {
  let clock = WallClock()
  let key: MessageKey

  init() throws { key = try SignedMessage.key() }

  func verifier(
    _ policy: SignaturePolicy = .request, capacity: Int = 100,
    start: WallTime? = WallTime(secondsSince1970: 0)
  ) -> MessageVerifier {
    MessageVerifier(
      keys: MessageKeys(key), policy: policy, nonceCapacity: capacity, start: start, time: clock.time)
  }

  @Test("C7: A signature is accepted once, with what it states")
  func acceptedOnce() throws {
    var options = MessageSignatureOptions.request
    options.tag = "estate"
    options.lifetime = .seconds(60)
    let signed = try SignedMessage(key: key, options: options)
    let verifier = verifier()
    let verified = try verifier.verify(signed.message)
    #expect(verified.keyID == "app-1" && verified.algorithm == .hmacSHA256 && verified.label == "sig1")
    #expect(verified.created == SignedMessage.now && verified.nonce == "n0" && verified.tag == "estate")
    #expect(verified.expires == SignedMessage.now.advanced(by: .seconds(60)))
    #expect(verified.components.contains(.field(MessageSignatureFields.contentDigest)))
    #expect(throws: MessageSignatureError(.replayedNonce)) { try verifier.verify(signed.message) }
    #expect(verifier.nonceCount == 1)
    #expect(throws: Never.self) { try verifier.authenticate(signed.message) }
  }

  @Test("C7: Each change of a covered part is refused", arguments: 0..<9)
  func tampering(_ part: Int) throws {
    var signed = try SignedMessage(key: key)
    switch part {
    case 0: signed.head.method = .put
    case 1: signed.head.authority = "evil.example"
    case 2: signed.head.path = "/v1/houses?city=sh&page=3"
    case 3: signed.head.path = "/v2/houses?city=sh&page=2"
    case 4: signed.head.headerFields[.authorization] = "Bearer other"
    case 5: signed.head.headerFields[.contentType] = "text/plain"
    case 6: signed.input = signed.input.replacing("created=1700000000", with: "created=1700000001")
    case 7: signed.input = signed.input.replacing("\"n0\"", with: "\"n1\"")
    default:
      signed.input = signed.input.replacing("\"@method\" \"@authority\"", with: "\"@authority\" \"@method\"")
    }
    #expect(throws: MessageSignatureError(.mismatch)) { try verifier().verify(signed.message) }
  }

  @Test("C6: Content other than the signed one is refused, and content without a covered digest too")
  func content() throws {
    var signed = try SignedMessage(key: key)
    signed.body = Array(#"{"price":0}"#.utf8)
    #expect(throws: MessageSignatureError(.digestMismatch(.sha256))) { try verifier().verify(signed.message) }
    signed.body = []
    #expect(throws: MessageSignatureError(.digestMismatch(.sha256))) { try verifier().verify(signed.message) }

    var options = MessageSignatureOptions.request
    options.digest = nil
    var uncovered = try SignedMessage(key: key, options: options)
    #expect(throws: MessageSignatureError(.uncovered(.field(MessageSignatureFields.contentDigest)))) {
      try verifier().verify(uncovered.message)
    }
    // A digest that the signature doesn't cover proves nothing.
    uncovered.head.headerFields[MessageSignatureFields.contentDigest] = "sha-256=:AAAA:"
    #expect(throws: MessageSignatureError(.uncovered(.field(MessageSignatureFields.contentDigest)))) {
      try verifier().verify(uncovered.message)
    }
    uncovered.head.headerFields[MessageSignatureFields.contentDigest] = nil
    uncovered.body = []
    #expect(throws: Never.self) { try verifier().verify(uncovered.message) }
  }

  /// Components without which a signature is refused.
  static let coverage: [MessageComponent] = [.method, .authority, .path, .query]

  @Test("A signature that covers too little is refused, naming the component", arguments: coverage)
  func coversTooLittle(_ component: MessageComponent) throws {
    var options = MessageSignatureOptions.request
    options.components.removeAll { $0 == component }
    let signed = try SignedMessage(key: key, options: options)
    #expect(throws: MessageSignatureError(.uncovered(component))) { try verifier().verify(signed.message) }
    #expect("\(MessageSignatureError(.uncovered(component)))".contains(component.identifier))
  }

  @Test("A required field must be covered if the message has it, so that it can't be added later")
  func fieldIfPresent() throws {
    var options = MessageSignatureOptions.request
    options.fieldsIfPresent = [.contentType]
    var signed = try SignedMessage(key: key, options: options)
    #expect(throws: MessageSignatureError(.uncovered(.field(.authorization)))) {
      try verifier().verify(signed.message)
    }
    signed.head.headerFields[.authorization] = nil
    #expect(throws: Never.self) { try verifier().verify(signed.message) }
  }

  @Test("A component that contains the required ones counts for them")
  func includedCoverage() throws {
    var options = MessageSignatureOptions.request
    options.components = [.method, .targetURI]
    let signed = try SignedMessage(key: key, options: options)
    #expect(throws: Never.self) { try verifier().verify(signed.message) }
  }

  @Test("Post-dated, old and expired signatures are refused; the clocks may differ by the skew")
  func times() throws {
    var options = MessageSignatureOptions.request
    for (offset, error): (Int64, MessageSignatureError?) in [
      (30, nil), (31, MessageSignatureError(.createdInFuture(by: .seconds(1)))), (-330, nil),
      (-331, MessageSignatureError(.tooOld(by: .seconds(31)))),
    ] {
      let signed = try SignedMessage(key: key, at: SignedMessage.now.advanced(by: .seconds(offset)))
      if let error {
        #expect(throws: error) { try verifier().verify(signed.message) }
      } else {
        #expect(throws: Never.self) { try verifier().verify(signed.message) }
      }
    }
    options.lifetime = .seconds(10)
    let signed = try SignedMessage(key: key, options: options)
    clock.advance(by: 39)
    #expect(throws: Never.self) { try verifier().verify(signed.message) }
    clock.advance(by: 1)
    #expect(throws: MessageSignatureError(.expired(by: .seconds(30)))) {
      try verifier().verify(signed.message)
    }
  }

  /// Changes of `Signature-Input`, and the errors to which they lead.
  static let parameters: [(String, String, MessageSignatureError)] = [
    (";created=1700000000", "", MessageSignatureError(.missingParameter("created"))),
    (";created=1700000000", ";created=\"1700000000\"", MessageSignatureError(.malformedParameter("created"))),
    (
      ";created=1700000000", ";created=1700000000;expires=1.5",
      MessageSignatureError(.malformedParameter("expires"))
    ),
    (
      ";created=1700000000", ";created=1700000000;expires=1700000000",
      MessageSignatureError(.malformedParameter("expires"))
    ),
    (";keyid=\"app-1\"", "", MessageSignatureError(.missingParameter("keyid"))),
    (";keyid=\"app-1\"", ";keyid=app-1", MessageSignatureError(.malformedParameter("keyid"))),
    (";keyid=\"app-1\"", ";keyid=\"app-2\"", MessageSignatureError(.unknownKey)),
    (";nonce=\"n0\"", "", MessageSignatureError(.missingParameter("nonce"))),
    (";alg=\"hmac-sha256\"", ";alg=\"none\"", MessageSignatureError(.unknownAlgorithm("none"))),
    (
      ";alg=\"hmac-sha256\"", ";alg=\"rsa-v1_5-sha256\"",
      MessageSignatureError(.wrongAlgorithm(.rsaPKCS1SHA256, expected: .hmacSHA256))
    ),
    (";alg=\"hmac-sha256\"", "", MessageSignatureError(.mismatch)),
    (
      "(\"@method\"", "(\"@method\" \"@method\"",
      MessageSignatureError(.invalidComponent("\"@method\"", .coveredOnce))
    ),
    (
      "(\"@method\"", "(\"@status\" \"@method\"",
      MessageSignatureError(.invalidComponent("\"@status\"", .partOfMessage))
    ),
    (
      "(\"@method\"", "(\"x-absent\" \"@method\"",
      MessageSignatureError(.missingComponent(.field(.init("x-absent") ?? .accept)))
    ),
    (
      ";created=1700000000", ";created=1700000000;created=1700000000",
      MessageSignatureError(
        .malformedField(
          MessageSignatureFields.signatureInput, rule: StructuredFieldError.Rule.duplicateKey.rawValue,
          offset: 114))
    ),
  ]

  @Test("A fault of the parameters names its rule", arguments: parameters)
  func parameterFaults(_ text: String, _ replacement: String, _ error: MessageSignatureError) throws {
    var signed = try SignedMessage(key: key)
    #expect(signed.input.contains(text))
    signed.input = signed.input.replacing(text, with: replacement)
    #expect(throws: error) { try verifier().verify(signed.message) }
  }

  @Test("Of two labels, the selected one counts; without a selection the message is refused")
  func twoLabels() throws {
    var options = MessageSignatureOptions.request
    options.label = "proxy"
    options.tag = "edge"
    var signed = try SignedMessage(key: key)
    try signed.sign(by: key, options, "n1")
    #expect(throws: MessageSignatureError(.severalSignatures(count: 2))) {
      try verifier().verify(signed.message)
    }
    var policy = SignaturePolicy.request
    for (selection, label): (SignaturePolicy.Selection, String) in [
      (.label("sig1"), "sig1"), (.label("proxy"), "proxy"), (.tag("edge"), "proxy"),
    ] {
      policy.selection = selection
      #expect(try verifier(policy).verify(signed.message).label == label)
    }
    for selection: SignaturePolicy.Selection in [.label("other"), .tag("other")] {
      policy.selection = selection
      #expect(throws: MessageSignatureError(.unsigned)) { try verifier(policy).verify(signed.message) }
    }
    #expect(throws: MessageSignatureError(.labelInUse("proxy"))) { try signed.sign(by: key, options, "n2") }
    // The same label twice could be read differently by two parsers.
    var doubled = try SignedMessage(key: key)
    doubled.input += ", " + doubled.input
    #expect(throws: MessageSignatureError.self) { try verifier().verify(doubled.message) }
  }

  @Test("A message without one of the two fields, or without the label in both, is unsigned")
  func unsigned() throws {
    for name in [MessageSignatureFields.signature, MessageSignatureFields.signatureInput] {
      var signed = try SignedMessage(key: key)
      signed.head.headerFields[name] = nil
      #expect(throws: MessageSignatureError(.unsigned)) { try verifier().verify(signed.message) }
    }
    var other = try SignedMessage(key: key)
    other.signature = other.signature.replacing("sig1=", with: "sig2=")
    #expect(throws: MessageSignatureError(.unsigned)) { try verifier().verify(other.message) }
    other.signature = "sig1=1"
    #expect(
      throws: MessageSignatureError(
        .malformedField(
          MessageSignatureFields.signature, rule: "a member is a byte sequence"))
    ) {
      try verifier().verify(other.message)
    }
    other.input = "sig1=1"
    #expect(
      throws: MessageSignatureError(
        .malformedField(
          MessageSignatureFields.signatureInput, rule: "a member is a list of components in parentheses"))
    ) {
      try verifier().verify(other.message)
    }
  }

  @Test("A key of another kind or with another secret doesn't verify")
  func otherKeys() throws {
    let signed = try SignedMessage(key: key)
    let other = MessageVerifier(keys: MessageKeys(try SignedMessage.key(byte: 2)), time: clock.time)
    #expect(throws: MessageSignatureError(.mismatch)) { try other.verify(signed.message) }
    // The text of a public key is no secret: a signature made with it as one must not be accepted.
    let publicKey = try MessageKey(id: "app-1", algorithm: .ed25519, publicKeyPEM: TestKeys.ed25519Public)
    let confused = try SignedMessage(
      key: try MessageKey(id: "app-1", sharedSecret: Array(TestKeys.ed25519Public.utf8)))
    let verifier = MessageVerifier(
      keys: MessageKeys(publicKey), start: WallTime(secondsSince1970: 0), time: clock.time)
    #expect(throws: MessageSignatureError(.wrongAlgorithm(.hmacSHA256, expected: .ed25519))) {
      try verifier.verify(confused.message)
    }
    var silent = MessageSignatureOptions.request
    silent.statesAlgorithm = false
    let unnamed = try SignedMessage(
      key: try MessageKey(id: "app-1", sharedSecret: Array(TestKeys.ed25519Public.utf8)), options: silent)
    #expect(throws: MessageSignatureError(.mismatch)) { try verifier.verify(unnamed.message) }
  }

  @Test("Only nonces of valid signatures are remembered, and a full record refuses instead of forgetting")
  func nonces() throws {
    let verifier = verifier(capacity: 2)
    for number in 0..<5 {
      let forged = try SignedMessage(key: try SignedMessage.key(byte: 9), nonce: "f\(number)")
      #expect(throws: MessageSignatureError(.mismatch)) { try verifier.verify(forged.message) }
    }
    #expect(verifier.nonceCount == 0)
    for number in 0..<2 {
      try verifier.verify(try SignedMessage(key: key, nonce: "\(number)").message)
    }
    let third = try SignedMessage(key: key, nonce: "third").message
    #expect(throws: MessageSignatureError(.tooManyNonces(limit: 2))) { try verifier.verify(third) }
    #expect(MessageSignatureError(.tooManyNonces(limit: 2)).status == .serviceUnavailable)
  }

  @Test("A nonce is remembered for as long as its signature is accepted")
  func remembered() throws {
    let verifier = verifier()
    let signed = try SignedMessage(key: key, at: SignedMessage.now.advanced(by: .seconds(30)))
    try verifier.verify(signed.message)
    for _ in 0..<360 {
      clock.advance(by: 1)
      #expect(throws: MessageSignatureError(.replayedNonce)) { try verifier.verify(signed.message) }
    }
    clock.advance(by: 1)
    #expect(throws: MessageSignatureError(.tooOld(by: .seconds(31)))) { try verifier.verify(signed.message) }
    clock.set(SignedMessage.now)
    #expect(throws: MessageSignatureError(.replayedNonce)) { try verifier.verify(signed.message) }
  }

  @Test("Of concurrent copies of a message, exactly one is accepted")
  func concurrent() async throws {
    let verifier = verifier()
    let message = try SignedMessage(key: key).message
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<32 { group.addTask { (try? verifier.verify(message)) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 1)
  }

  @Test("A signature that may have been accepted before the verifier's start is refused")
  func start() throws {
    let verifier = MessageVerifier(keys: MessageKeys(key), start: SignedMessage.now, time: clock.time)
    for seconds in [-1, 0, 29] as [Int64] {
      let former = try SignedMessage(key: key, at: SignedMessage.now.advanced(by: .seconds(seconds)))
      #expect(throws: MessageSignatureError(.forgottenNonce)) { try verifier.verify(former.message) }
    }
    let later = try SignedMessage(key: key, at: SignedMessage.now.advanced(by: .seconds(30)))
    #expect(throws: Never.self) { try verifier.verify(later.message) }
  }

  @Test("Without a required nonce a signature may lack one, but a nonce that it has counts once")
  func optionalNonce() throws {
    var policy = SignaturePolicy.request
    policy.requiresNonce = false
    let verifier = verifier(policy)
    let without = try SignedMessage(key: key, nonce: nil).message
    try verifier.verify(without)
    try verifier.verify(without)
    let with = try SignedMessage(key: key).message
    try verifier.verify(with)
    #expect(throws: MessageSignatureError(.replayedNonce)) { try verifier.verify(with) }
  }

  @Test("Every algorithm signs and verifies, and refuses the signature of another message")
  func algorithms() throws {
    let keys = [
      try MessageKey(id: "e", algorithm: .ed25519, privateKeyPEM: TestKeys.ed25519Private),
      try MessageKey(id: "p", algorithm: .ecdsaP256SHA256, privateKeyPEM: TestKeys.p256Private), key,
    ]
    for key in keys {
      let verifier = MessageVerifier(
        keys: MessageKeys(key), start: WallTime(secondsSince1970: 0), time: clock.time)
      var signed = try SignedMessage(key: key)
      #expect(try verifier.verify(signed.message).algorithm == key.algorithm)
      signed.head.path = "/"
      #expect(throws: MessageSignatureError(.mismatch)) { try verifier.verify(signed.message) }
    }
    #expect(throws: MessageKeyError.self) {
      try MessageKey(id: "p", algorithm: .ecdsaP256SHA256, publicKeyPEM: TestKeys.p384Public)
    }
  }

  @Test("C7: A Content-Type that was added to a signed request is refused")
  func addedContentType() throws {
    var options = MessageSignatureOptions.request
    options.fieldsIfPresent = [.authorization]
    let signed = try SignedMessage(key: key, options: options)
    #expect(throws: MessageSignatureError(.uncovered(.field(.contentType)))) {
      try verifier().verify(signed.message)
    }
  }

  @Test(
    "C7: A field that overrides the method is refused unless it is covered, whatever the policy",
    arguments: ["X-HTTP-Method-Override", "x-http-method", "X-Method-Override"])
  func methodOverride(_ name: String) throws {
    let name = try #require(HTTPField.Name(name))
    var signed = try SignedMessage(key: key)
    signed.head.headerFields[name] = "DELETE"
    for policy in [SignaturePolicy.request, SignaturePolicy(requiring: [.method])] {
      #expect(throws: MessageSignatureError(.uncovered(.field(name)))) {
        try verifier(policy).verify(signed.message)
      }
    }
    signed.head.headerFields.removeAll { $0.name.canonicalName.hasPrefix("signature") }
    try signed.sign(by: key)
    #expect(signed.input.contains("\"\(name.canonicalName)\""))
    #expect(throws: Never.self) { try verifier().verify(signed.message) }
    signed.head.headerFields[name] = "PUT"
    #expect(throws: MessageSignatureError(.mismatch)) { try verifier().verify(signed.message) }
  }

  @Test(
    "I8: A verifier that is created later refuses what a previous one may have accepted, whatever the client's clock",
    arguments: [-20, 0, 20, 30])
  func restart(ahead: Int64) throws {
    let signed = try SignedMessage(key: key, at: SignedMessage.now.advanced(by: .seconds(ahead)))
    try verifier().verify(signed.message)
    clock.advance(by: 1)
    let restarted = verifier(start: nil)
    #expect(throws: MessageSignatureError(.forgottenNonce)) { try restarted.verify(signed.message) }
    #expect(MessageSignatureError(.forgottenNonce).status == .serviceUnavailable)
    clock.advance(by: 30)
    #expect(throws: MessageSignatureError(.forgottenNonce)) { try restarted.verify(signed.message) }
    // When the clock skew has passed, messages of exact clocks are accepted.
    #expect(throws: Never.self) {
      try restarted.verify(try SignedMessage(key: key, at: clock.time.wallTime()).message)
    }
  }
}
