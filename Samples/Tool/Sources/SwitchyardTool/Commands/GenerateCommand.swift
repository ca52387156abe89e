import APIGeneration
import ArgumentParser
import Foundation
import ToolCommands

struct GenerateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generates the APIs and models of an OpenAPI document in Swift.",
    discussion: """
      switchyard generate openapi.yaml -o Shop.swift --stub ShopStub.swift
      switchyard generate openapi.yaml -o Shop.swift --check

      The document is OpenAPI 3.0 or 3.1, in YAML or JSON. What of it is not generated is named on standard \
      error, with its lines. With --check, writes nothing, and exits with 1 if a file differs from what the \
      document yields.
      """)

  @Argument(help: "The document; - for standard input.", completion: .file()) var document: String
  @Option(name: [.customShort("o"), .long], help: "The file; - for standard output.", completion: .file())
  var output = "-"
  @Option(help: "The file of a stub with the document's examples, for tests.", completion: .file())
  var stub: String?
  @Option(help: ArgumentHelp("The operations with this tag only; may be repeated.", valueName: "tag"))
  var only: [String] = []
  @Option(help: "The namespace of what is generated; by default from the document's title.") var name: String?
  @Option(help: ArgumentHelp("The module that the stub imports.", valueName: "module")) var module: String?
  @Flag(help: "Makes the declarations public.") var `public` = false
  @Flag(help: "Compares the files with what the document yields.") var check = false

  func validate() throws {
    guard !check || output != "-" else { throw ValidationError("--check needs -o FILE.") }
    guard stub == nil || stub != output else { throw ValidationError("-o and --stub name the same file.") }
    guard module == nil || stub != nil else { throw ValidationError("--module needs --stub FILE.") }
  }

  func run() async throws {
    try await perform { [self] in
      let bytes = try InputFile.bytes(of: document)
      var generator = APIGenerator()
      generator.name = name
      generator.isPublic = `public`
      generator.tags = Set(only)
      generator.module = module
      let place = document == "-" ? "standard input" : Printable.text(document)
      let generated: APIGenerator.Output
      do throws(DocumentError) { generated = try generator.output(for: bytes) } catch {
        throw ToolFailure(.malformedRequest, Printable.text("\(place):\(error)"))
      }
      for note in generated.notes { Terminal.note(Printable.text("\(place):\(note)")) }
      let files = [(output, generated.code)] + (stub.map { [($0, generated.stub)] } ?? [])
      if check {
        try Self.compare(files)
      } else {
        try Self.write(files)
      }
    }
  }

  /// Writes all files, or none that can't be written.
  private static func write(_ files: [(path: String, text: String)]) throws(ToolFailure) {
    var targets: [(OutputTarget, String)] = []
    for file in files { targets.append((try OutputTarget(file.path), file.text)) }
    for (target, text) in targets { try target.write(Array(text.utf8)) }
    for (target, _) in targets { try target.finish() }
  }

  private static func compare(_ files: [(path: String, text: String)]) throws {
    var lines: [String] = []
    for file in files {
      let current = try InputFile.text(of: file.path)
      if let drift = GeneratedDrift(from: current, to: file.text) {
        lines += drift.lines(of: Printable.text(file.path))
      }
    }
    guard !lines.isEmpty else { return }
    try Terminal.output.lines(lines.map { Printable.text($0) })
    throw ToolFailure(.refused, "")
  }
}
