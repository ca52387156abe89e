import Testing

@Suite struct GenerateCommandTests {
  private static let document = """
    openapi: 3.0.3
    info: {title: Pets}
    servers: [{url: https://pets.example.com}]
    paths:
      /pets:
        get:
          operationId: listPets
          tags: [pets]
          responses:
            '200':
              description: The pets.
              content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
              links: {}
    components:
      schemas:
        Pet: {type: object, required: [name], properties: {name: {type: string}}}
    """

  @Test("The check fails when the document and the code differ, and says where", .timeLimit(.minutes(5)))
  func check() async throws {
    let folder = try ScratchFolder()
    try folder.write(Self.document, to: "pets.yaml")
    let made = try await RunningProgram.tool(
      "generate", "pets.yaml", "-o", "Pets.swift", "--stub", "Stub.swift", in: folder)
    #expect(made.status == 0)
    #expect(made.errors == "switchyard: pets.yaml:13: links are not generated\n")
    #expect(try folder.text("Pets.swift").contains("struct ListPets: API"))
    #expect(try folder.text("Stub.swift").contains("struct PetsStub: Dispatcher"))
    let same = try await RunningProgram.tool(
      "generate", "pets.yaml", "-o", "Pets.swift", "--stub", "Stub.swift", "--check", in: folder)
    #expect(same.status == 0)

    try folder.write(
      Self.document.replacing("name: {type: string}", with: "name: {type: integer}"), to: "pets.yaml")
    let before = try folder.text("Pets.swift")
    let differs = try await RunningProgram.tool(
      "generate", "pets.yaml", "-o", "Pets.swift", "--check", in: folder)
    #expect(differs.status == 1)
    let text = differs.output
    #expect(text.contains("- \(String(repeating: " ", count: 4))var name: String"), "\(text)")
    #expect(text.contains("+ \(String(repeating: " ", count: 4))var name: Int"))
    #expect(try folder.text("Pets.swift") == before)
  }

  @Test("A faulty document is refused with its place, and nothing is written", .timeLimit(.minutes(5)))
  func fault() async throws {
    let folder = try ScratchFolder()
    try folder.write(Self.document.replacing("#/components/schemas/Pet", with: "pet.yaml"), to: "pets.yaml")
    let refused = try await RunningProgram.tool("generate", "pets.yaml", "-o", "Pets.swift", in: folder)
    #expect(refused.status == 3)
    #expect(
      refused.errors.hasPrefix(
        "switchyard: pets.yaml:12: The reference \"pet.yaml\" leads to another document"))
    try folder.write(Self.document, to: "pets.yaml")
    let unwritable = try await RunningProgram.tool(
      "generate", "pets.yaml", "-o", "Pets.swift", "--stub", "none/Stub.swift", in: folder)
    #expect(unwritable.status == 23)
    #expect(folder.names.filter { !$0.hasPrefix("errors") && !$0.hasPrefix("output") } == ["pets.yaml"])
  }
}
