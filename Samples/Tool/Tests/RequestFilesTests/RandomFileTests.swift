import Testing

@testable import RequestFiles

/// Files with random mistakes.
@Suite(.timeLimit(.minutes(5))) struct RandomFileTests {
  private static let hurl = #"""
    GET http://x/{{id}}?a=1 # comment
    X-A: "b" \u{1F600}
    [Query]
    q: {{q}}
    [Options]
    retry: 2
    {"a": [1, "}{", {"b": null}]}
    HTTP/2 200
    Vary: A
    [Captures]
    t: jsonpath "$..a[?(@.b == 'c' && length(@) > 1)]" split "," nth 0 redact
    [Asserts]
    body matches /^a(b|[^c-d]+?){2,3}\d/
    jsonpath "$.a[1:2,'x']" not contains hex,00ff;
    header "X" toDate "%+" daysAfterNow >= -5.5e3
    cookie "a[Path]" == `one {{t}}`
    sha256 == base64,YWI=;
    ```raw
    text
    ```
    POST http://y
    <a b="c"><!-- d --><e/></a>
    HTTP *
    file,a.bin;
    """#
  private static let http = """
    @a = {{b}}
    ### Title
    # @name n
    # @timeout 5 ms
    POST {{a}}/x
      ?q=1
    Content-Type: multipart/form-data; boundary=b

    --b
    <@ f.txt
    < {{g}}
    --b--
    ###
    GET http://x/{{n.response.body.$.a}} HTTP/1.1
    """

  @Test(
    "A file with random mistakes is parsed and sent, or has a fault at a place of it",
    arguments: [RequestFile.Format.hurl, .http])
  func mistakes(format: RequestFile.Format) {
    var generator = Mistakes(seed: 42)
    let original = Array((format == .hurl ? Self.hurl : Self.http).unicodeScalars)
    var counts = (parsed: 0, faulty: 0)
    for _ in 0..<3_000 {
      var scalars = original
      for _ in 0...Int(generator.next(4)) { generator.change(&scalars) }
      let text = String(String.UnicodeScalarView(scalars))
      let source = SourceText(name: "random", text: text)
      do {
        let file = try RequestFile(source, format: format)
        counts.parsed += 1
        check(file)
      } catch {
        counts.faulty += 1
        #expect(error.span.start <= scalars.count && !error.message.isEmpty)
        #expect(!source.report(error).isEmpty)
      }
    }
    #expect(counts.parsed > 100 && counts.faulty > 100, "\(counts)")
  }

  /// Prepares the requests, and checks a response by their assertions; both may fail.
  private func check(_ file: RequestFile) {
    var environment = Environment(
      of: file, variables: ["id": .integer(1), "q": .text("a"), "b": .text("http://z")],
      generators: CheckedEntry.generators)
    let response = CheckedEntry.response(json: #"{"a":[{"b":"c"},2,"3"],"x":"2024-01-01T00:00:00Z"}"#)
    for entry in file.entries {
      if let options = try? entry.options(in: &environment) {
        _ = try? entry.prepared(options, in: &environment) { _, _ in "{{id}}" }
      }
      for failure in entry.failures(of: response, in: &environment, tools: CheckedEntry.tools) {
        #expect(!file.source.report(failure).isEmpty)
      }
    }
  }

  /// Random changes that are the same in every run (SplitMix64).
  private struct Mistakes {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ limit: UInt64) -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return (mixed ^ (mixed >> 31)) % limit
    }

    /// Removes, repeats or inserts something at a random place.
    mutating func change(_ scalars: inout [Unicode.Scalar]) {
      let place = Int(next(UInt64(scalars.count)))
      let end = min(place + 1 + Int(next(12)), scalars.count)
      switch next(4) {
      case 0: scalars.removeSubrange(place..<end)
      case 1: scalars.insert(contentsOf: scalars[place..<end], at: Int(next(UInt64(scalars.count))))
      case 2: scalars.removeSubrange(place...)
      default:
        let marks = Array("\\\"`{}[]()/:;,#\n\r\t $@<>=!?*+-.~\u{0}é😀9".unicodeScalars)
        scalars.insert(marks[Int(next(UInt64(marks.count)))], at: place)
      }
      if scalars.isEmpty { scalars.append("G") }
    }
  }
}
