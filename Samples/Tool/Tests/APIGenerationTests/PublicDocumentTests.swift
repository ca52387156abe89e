import APIGeneration
import Foundation
import Testing

@Suite(
  .timeLimit(.minutes(10)), .enabled(if: PublicDocument.mustRun, "Requires ../shared/vectors/openapi"))
struct PublicDocumentTests {
  @Test(
    "Each operation of a public document is generated, the same each time", arguments: PublicDocument.allCases
  )
  func generated(_ document: PublicDocument) async throws {
    let bytes = try await document.bytes()
    let output = try APIGenerator().output(for: bytes)
    #expect(output.operationCount == document.operationCount)
    #expect(output.notes.allSatisfy { !$0.lines.isEmpty })
    if document == .petstore || document == .meilisearch {
      let again = try APIGenerator().output(for: bytes)
      #expect(again.code == output.code && again.stub == output.stub)
    }
  }

  @Test(
    "The code of a public document compiles with its stub, without a warning",
    arguments: [PublicDocument.petstore, .meilisearch, .pokeapi])
  func compiled(_ document: PublicDocument) async throws {
    var generator = APIGenerator()
    generator.isPublic = document == .petstore
    let output = try generator.output(for: try await document.bytes())
    let folder = FileManager.default.temporaryDirectory.appending(path: "openapi-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [folder.appending(path: "Code.swift"), folder.appending(path: "Stub.swift")]
    try Data(output.code.utf8).write(to: files[0])
    try Data(output.stub.utf8).write(to: files[1])
    let (status, text) = try await PublicDocument.typecheck(files, cache: folder.appending(path: "Cache"))
    #expect(status == 0, "\(text.prefix(2_000))")
  }
}
