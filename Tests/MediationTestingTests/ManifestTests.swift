import Foundation
import Mediation
import MediationTesting
import Testing

@MainActor @Suite struct ManifestTests {
  private static let lines = [
    "Lists.BestRoute  estate://best  -> Array<Int>  [app]",
    "Lists.ListRoute  estate://list/{kind}?sort={sort?}  also estate://newest  "
      + "also estate://questions/{kind}?sort={sort:text?}  -> ()  [link push scheme:estate]",
    "Lists.ShownListRoute  (native)  -> ()  [native]",
    "Stubs.HomeRoute  estate://home/{id:int}?tab={tab?}  -> ()  [link scheme:estate]",
  ]

  /// Runs the body with a folder that is removed afterwards.
  private static func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test("The manifest has one line per route")
  func manifestLines() throws {
    #expect(try MediationKitTests.kit().start().manifest == Self.lines.map { "\($0)\n" }.joined())
  }

  @Test("A manifest is recorded once, then compared, relative to the source file")
  func recording() throws {
    try Self.withFolder { folder in
      let run = try MediationKitTests.kit().start()
      let source = "\(folder)/SomeTests.swift"
      let path = "\(folder)/routes.txt"
      #expect(throws: ManifestMismatch.missing(path: path)) {
        try run.checkManifest(golden: "routes.txt", isRecording: false, file: source)
      }
      #expect(throws: ManifestMismatch.recorded(path: path, lines: Self.lines.map { "+ \($0)" })) {
        try run.checkManifest(golden: "routes.txt", isRecording: true, file: source)
      }
      try run.checkManifest(golden: "routes.txt", isRecording: false, file: source)
      try run.checkManifest(golden: path, isRecording: true)
    }
  }

  @Test("A path with a null byte is refused, and no file with the name before it is written")
  func nullByte() throws {
    try Self.withFolder { folder in
      let run = try MediationKitTests.kit().start()
      let path = "\(folder)/routes.txt"
      let fault = ManifestMismatch.file(
        path: path + "\0.golden", reason: "the path contains a null byte; remove it")
      #expect(throws: fault) { try run.checkManifest(golden: path + "\0.golden", isRecording: true) }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("A difference is reported line by line")
  func difference() throws {
    try Self.withFolder { folder in
      let path = "\(folder)/routes.txt"
      let old = [Self.lines[0], "Lists.OldRoute  estate://old  -> ()  [app]"] + Self.lines[1...2]
      try old.map { "\($0)\r\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
      let run = try MediationKitTests.kit().start()
      let mismatch = #expect(throws: ManifestMismatch.self) {
        try run.checkManifest(golden: path, isRecording: false)
      }
      #expect(
        mismatch?.description == """
          The routes differ from the manifest \(path):
          - Lists.OldRoute  estate://old  -> ()  [app]
          + \(Self.lines[3])
          If the change is intended, run the test with MEDIATION_RECORD=1 in the environment, and commit the file.
          """)
    }
  }

  @Test("An unwritable file is an error with its path")
  func unwritableFile() throws {
    let run = try MediationKitTests.kit().start()
    let mismatch = #expect(throws: ManifestMismatch.self) {
      try run.checkManifest(golden: "/proc/none/routes.txt", isRecording: true)
    }
    guard case .file("/proc/none/routes.txt", _)? = mismatch else {
      Issue.record("got \(String(describing: mismatch))")
      return
    }
  }
}
