import HTTPTypes
import Interception

@testable import MessageSignatures

extension FuzzTarget {
  static let structuredFields = FuzzTarget(
    name: "structured-fields", reads: "structured fields: dictionaries, lists and items",
    seeds: texts(
      #"sig1=("@method" "@authority";req);created=1618884473;keyid="test", b=:cHJldGVuZA==:, c;a=?0;b=*x"#,
      #"1, -2.5, 999999999999.999, @1659578233, %"f%c3%bc", ("a" b;c);d"#, #"("a"  "b" );x=1"#,
      #""\"\\";q=0.1"#, "a=-0.0, b=-0, c=1."),
    words: [
      "(", ")", ";", "=", ", ", "?1", "?0", ":", "@", "%\"", "%c3", "\\\"", "*", "0.5", "999999999999999",
    ]
  ) { bytes in
    let text = text(bytes)
    if let dictionary = try? StructuredFieldParser.dictionary(text) {
      try check(dictionary, { $0.append($1) }) { text in try StructuredFieldParser.dictionary(text) }
    }
    if let list = try? StructuredFieldParser.list(text) {
      try check(list, { $0.append($1) }) { text in try StructuredFieldParser.list(text) }
    }
    if let item = try? StructuredFieldParser.item(text) {
      try check(item, { $0.append($1) }) { text in try StructuredFieldParser.item(text) }
    }
  }

  private static func check<Value: Equatable>(
    _ value: Value, _ write: (inout StructuredFieldWriter, Value) -> Void, _ read: (String) throws -> Value
  ) throws {
    var writer = StructuredFieldWriter()
    write(&writer, value)
    guard let again = try? read(writer.text) else {
      throw BrokenLaw(law: "The canonical form of a structured field can be read.", evidence: writer.text)
    }
    try require(again, equals: value, "A structured field, written again, is the same.")
    var second = StructuredFieldWriter()
    write(&second, again)
    try require(second.text, equals: writer.text, "A structured field has one canonical form.")
  }
}

extension FuzzTarget {
  private static let verifier: MessageVerifier? = {
    let key = try? MessageKey(id: "k", sharedSecret: Array(1...32))
    return key.map {
      MessageVerifier(
        keys: MessageKeys($0), policy: SignaturePolicy(requiring: [], requiresNonce: false),
        start: WallTime(secondsSince1970: 0),
        time: TimeSource(ContinuousClock(), wall: { WallTime(secondsSince1970: 1_790_000_000) }))
    }
  }()

  static let signatureInput = FuzzTarget(
    name: "signature-input", reads: "Signature-Input, Signature and Content-Digest",
    seeds: texts(
      #"s=("@method" "@path" "a";sf "@query-param";name="q");created=1790000000;keyid="k""#
        + "\ns=:AAAA:\na, b\n"
        + "sha-256=:AAAA:",
      #"s=("@target-uri" "content-digest";key="sha-256" "a";bs);keyid="k";alg="hmac-sha256";created=1790000001"#
        + "\ns=:" + String(repeating: "A", count: 43) + "=:\nx",
      #"s=("@status";req "@request-target" "@scheme" "@query" "a";tr);nonce="n";tag="t";expires=1790000002"#),
    words: [
      "\"@method\"", "\"@path\"", "\"@query\"", "\"@query-param\";name=\"q\"", ";sf", ";bs", ";req", ";tr",
      ";key=",
      "created=1790000000", ";keyid=\"k\"", ";alg=\"hmac-sha256\"", "\n", "s=(", ")", ":AAAA:",
    ]
  ) { bytes in
    let lines = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false).map { text($0) }
    if let dictionary = try? StructuredFieldParser.dictionary(lines[0]) {
      for entry in dictionary.entries {
        guard case .innerList(let list) = entry.value, let parameters = try? SignatureParameters(list) else {
          continue
        }
        let again = try StructuredFieldParser.list(parameters.text)
        try require(
          again, equals: [.innerList(list)], "The parameters of a signature, written again, are the same.")
      }
    }
    var head = HTTPRequest(method: .post, scheme: "https", authority: "api.example", path: "/p?q=%41+b&q=c")
    for (name, value) in zip(["Signature-Input", "Signature", "A", "Content-Digest"], lines) {
      guard let name = HTTPField.Name(name) else { continue }
      head.headerFields[name] = value
    }
    guard let verifier else { return }
    let isAccepted = (try? verifier.verify(SignableMessage(head, content: .bytes([1])))) != nil
    // The 256 bits of a signature are not found by chance.
    try require(!isAccepted, "Without the key, no signature is accepted.")
  }
}
