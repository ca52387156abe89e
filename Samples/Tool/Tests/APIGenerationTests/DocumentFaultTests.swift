import APIGeneration
import Testing

@Suite struct DocumentFaultTests {
  /// A document that can't be generated, and what its error says.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let document: String
    let line: Int
    let text: String
  }

  static let faults = [
    Fault(testDescription: "empty", document: "", line: 1, text: "is empty"),
    Fault(testDescription: "no object", document: "- a", line: 1, text: "is no object"),
    Fault(testDescription: "no version", document: "info: {title: x}", line: 1, text: "has no \"openapi\""),
    Fault(testDescription: "Swagger", document: "swagger: '2.0'", line: 1, text: "convert it to OpenAPI 3.0"),
    Fault(
      testDescription: "unknown version", document: "info: {}\nopenapi: 4.0.0", line: 2,
      text: "\"4.0.0\" is not known"),
    Fault(testDescription: "no YAML", document: "openapi: 3.0.0\npaths: [", line: 3, text: "no YAML"),
    Fault(
      testDescription: "no JSON", document: "{\"openapi\": \"3.0.0\",\n \"paths\": {,}}", line: 2,
      text: "a string is expected"),
    Fault(
      testDescription: "key twice", document: "{\"openapi\": \"3.0.0\",\n \"openapi\": \"3.0.0\"}", line: 2,
      text: "occurs twice"),
    Fault(
      testDescription: "remote reference",
      document: APIGenerator.document(paths: "  /a: {$ref: 'https://example.com/a.yaml'}"), line: 5,
      text: "leads to another document"),
    Fault(
      testDescription: "file reference",
      document: APIGenerator.document(paths: "  /a: {$ref: 'other.yaml#/a'}"), line: 5,
      text: "bundle the documents"),
    Fault(
      testDescription: "reference to nothing",
      document: APIGenerator.document(paths: "  /a: {$ref: '#/paths/~1b'}"),
      line: 5, text: "refers to nothing"),
    Fault(
      testDescription: "cycle of references",
      document: APIGenerator.document(paths: "  /a: {$ref: '#/paths/~1b'}\n  /b: {$ref: '#/paths/~1a'}"),
      line: 5,
      text: "through a cycle"),
    Fault(
      testDescription: "cycle of allOf",
      document: APIGenerator.document(
        paths: used("A"),
        schemas:
          "    A: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {a: {type: string}}}]}\n    B: {allOf: [{$ref: '#/components/schemas/A'}, {properties: {b: {type: string}}}]}"
      ),
      line: 13, text: "composed of itself"),
    Fault(
      testDescription: "unknown type",
      document: APIGenerator.document(paths: used("A"), schemas: "    A:\n      type: text"),
      line: 13, text: "type \"text\" is not known"),
    Fault(
      testDescription: "unknown status",
      document: APIGenerator.document(paths: "  /a:\n    get:\n      responses: {OK: {description: x}}"),
      line: 7,
      text: "\"OK\" is no status"),
    Fault(
      testDescription: "open brace",
      document: APIGenerator.document(paths: "  /a/{b:\n    get: {responses: {}}"), line: 5,
      text: "is not closed"),
    Fault(
      testDescription: "field name",
      document: APIGenerator.document(
        paths: "  /a:\n    get:\n      parameters: [{name: 'a b', in: header}]\n      responses: {}"),
      line: 7,
      text: "is no field name"),
    Fault(
      testDescription: "parameter without a name",
      document: APIGenerator.document(
        paths: "  /a:\n    get:\n      parameters: [{in: query}]\n      responses: {}"),
      line: 7, text: "needs \"name\" and \"in\""),
    Fault(
      testDescription: "pages without items",
      document: APIGenerator.document(
        paths: used("A") + "\n      x-switchyard-paging: {items: data, cursor: after}",
        schemas: "    A: {type: object, properties: {name: {type: string}}}"), line: 10,
      text: "has no property \"data\""),
    Fault(
      testDescription: "deep nesting", document: String(repeating: "[", count: 100_000), line: 1,
      text: "no YAML"),
    Fault(
      testDescription: "deep JSON", document: "{\"a\":" + String(repeating: "[", count: 100_000), line: 1,
      text: "nested more than"),
  ]

  static func used(_ name: String) -> String {
    """
      /a:
        get:
          responses:
            '200':
              content: {application/json: {schema: {$ref: '#/components/schemas/\(name)'}}}
    """
  }

  @Test(
    "A document that can't be generated is refused with the line and the remedy", .timeLimit(.minutes(5)),
    arguments: faults)
  func fault(_ fault: Fault) throws {
    let error = #expect(throws: DocumentError.self) { try APIGenerator().output(of: fault.document) }
    #expect(error?.line == fault.line)
    #expect(error?.reason.contains(fault.text) == true, "\(String(describing: error))")
  }

  @Test("A document whose aliases repeat values without end is refused", .timeLimit(.minutes(5)))
  func aliases() {
    var document = "openapi: 3.0.0\nx0: &x0 [a, a, a, a, a, a, a, a, a, a]\n"
    for level in 1...9 {
      let values = Array(repeating: "*x\(level - 1)", count: 10).joined(separator: ", ")
      document += "x\(level): &x\(level) [\(values)]\n"
    }
    let error = #expect(throws: DocumentError.self) { try APIGenerator().output(of: document) }
    #expect(error?.reason.contains("more than 1000000 values") == true)
  }

  @Test("A document with a million operations is refused in bounded time", .timeLimit(.minutes(5)))
  func operations() {
    var document = "{\"openapi\":\"3.0.0\",\"paths\":{"
    for number in 0..<1_000_000 { document += "\"/\(number)\":{\"get\":{}}," }
    document += "\"/\":{}}}"
    let error = #expect(throws: DocumentError.self) { try APIGenerator().output(of: document) }
    #expect(error?.reason.contains("more than") == true)
  }

  @Test("A chain of schemas that refer to one another is generated, however long", .timeLimit(.minutes(5)))
  func chain() throws {
    var schemas = ""
    for number in 0..<5_000 {
      schemas +=
        "    S\(number): {type: object, properties: {next: {$ref: '#/components/schemas/S\(number + 1)'}}}\n"
    }
    schemas += "    S5000: {type: string}\n"
    let output = try APIGenerator().output(
      of: APIGenerator.document(paths: Self.used("S0"), schemas: schemas))
    #expect(output.modelCount == 5_000)
  }

  @Test("What is not generated is named with its lines, and the rest is generated")
  func notes() throws {
    let output = try CorpusDocument.forms.generator.output(for: try CorpusDocument.forms.bytes())
    let texts = output.notes.map(\.description)
    #expect(texts.contains { $0.hasSuffix(": links are not generated") }, "\(texts)")
    #expect(texts.contains { $0.hasSuffix(": callbacks are not generated") })
    #expect(texts.contains { $0.contains("the encoding of a part") })
    for note in output.notes { #expect(!note.lines.isEmpty) }
    #expect(texts.contains { $0.contains("parameters in cookies") })
    #expect(output.operationCount == 6)
  }

  @Test("Of a schema, what the code doesn't check or set is named with its lines")
  func schemaNotes() throws {
    let output = try APIGenerator().output(
      of: APIGenerator.document(
        paths: Self.used("A"),
        schemas: """
              A:
                type: object
                properties:
                  size: {type: integer, default: 3}
                  color: {type: string, readOnly: true, pattern: "[a-z]+"}
                additionalProperties: false

          """))
    let texts = output.notes.map(\.description)
    for text in [
      "defaults are not generated", "other properties than those of a schema are not refused",
      "readOnly is not told apart", "limits of values",
    ] {
      #expect(texts.count { $0.contains(text) } == 1, "\(text): \(texts)")
    }
  }

  @Test(
    "A document with the name of a type that the code uses gets another one",
    arguments: ["Service", "String", "Error"])
  func titles(_ title: String) throws {
    let document = APIGenerator.document().replacing("title: Test", with: "title: \(title)")
    #expect(try APIGenerator().output(of: document).code.contains("enum \(title)API {"))
  }

  @Test("Operations are selected by their tags, with the models that they need")
  func tags() throws {
    var generator = CorpusDocument.forms.generator
    generator.tags = ["photos"]
    let output = try generator.output(for: try CorpusDocument.forms.bytes())
    #expect(output.operationCount == 2)
    #expect(!output.code.contains("struct Login"))
    #expect(!output.code.contains("struct Filter"))
    generator.tags = ["photo"]
    let error = #expect(throws: DocumentError.self) {
      try generator.output(for: try CorpusDocument.forms.bytes())
    }
    #expect(error?.reason == "No operation has the tag \"photo\"; the tags are items, photos.")
  }
}
