#if os(Linux)
import CommandRunning
import Foundation
import Interception
import Synchronization
import Testing

@testable import Deployment

/// The deployments of a program that is killed, or dies of a document.
@Suite(.timeLimit(.minutes(5)))
struct DeploymentCrashTests {
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "stored-file-crash").path

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(prefix: "deployments")
    for (name, text) in [("private", Documents.privateKeys), ("public", Documents.publicKeys)] {
      try Data((text["2026"] ?? "").utf8).write(to: folder.url.appending(path: "\(name).pem"))
    }
    return folder
  }

  private static func run(_ words: String...) async throws -> Command.Outcome {
    try await Command(words: [program] + words).run()
  }

  private static func document(_ version: UInt64, dies: String? = nil) throws -> [UInt8] {
    var draft = DeploymentDraft(
      version: version, validFrom: WallTime.now().advanced(by: .seconds(-60)),
      until: WallTime.now().advanced(by: .seconds(3_600)))
    draft.setPart("label", to: Array("v\(version)".utf8))
    if let dies { draft.setPart("dies", to: Array(dies.utf8)) }
    return try Documents.signed(draft)
  }

  /// Opens the deployments as the program does, without the deaths.
  private static func open(
    _ folder: TemporaryFolder, _ applied: @escaping @Sendable (String?) -> Void
  ) throws -> Deployments {
    let label = DeploymentPart("label") { content in
      let text = String(decoding: content, as: UTF8.self)
      return { applied(text) }
    } reset: {
      applied(nil)
    }
    let dies = DeploymentPart("dies") { _ in
      {}
    } reset: {
    }
    return try Deployments(
      folder: folder.url.path, verifier: Documents.verifier(appVersion: "1.0"), parts: [label, dies])
  }

  /// Lets the program confirm a first version, runs it again with a fault, and checks what is left.
  ///
  /// - Returns: The status of the program.
  private func crash(_ position: Int, _ fault: String) async throws -> Int32 {
    let folder = try Self.folder()
    #expect(try await Self.run("deployments", folder.url.path, "0", "none").status == 0)
    let outcome = try await Self.run("deployments", folder.url.path, "\(position)", fault)
    let label = Mutex<String?>(nil)
    let deployments = try Self.open(folder) { text in label.withLock { $0 = text } }
    let version = try #require(deployments.version)
    #expect(fault == "after" ? version >= 1 : version == 1 || version == 2)
    #expect(label.withLock { $0 } == "v\(version)")
    // One kill is at most one death, and no file is damaged or without a meaning.
    #expect(!deployments.events.contains { [.rebuilt, .unusable, .heldBack].contains($0.kind) })
    #expect(deployments.events.filter { $0.kind == .died }.count <= 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.filter { $0.hasPrefix("deployment-") }.count <= StartLedger.documentLimit)
    #expect(!names.contains { $0.hasPrefix("deployment-") && $0.hasSuffix(".new") })
    // Nothing that was accepted is forgotten, and the next version is accepted.
    await #expect(throws: DeploymentError.self) {
      try await deployments.receive(Self.document(max(1, version - 1)))
    }
    #expect(try await deployments.receive(Self.document(version + 1)))
    return outcome.status
  }

  @Test("SIGKILL before and within each change of a file leaves the version before or the new one, whole")
  func everyChange() async throws {
    var position = 1
    while try await crash(position, "before") != 0 {
      #expect(try await crash(position, "within") == SIGKILL)
      position += 1
    }
    // The document, and the record: before and after the check, in the background, in the foreground, and
    // when the version is confirmed.
    #expect(position > 20)
  }

  @Test("A disk that is full at any write leaves the version before or the new one, and is no death")
  func fullDisk() async throws {
    var refusals = 0
    for position in 1...40 {
      let folder = try Self.folder()
      #expect(try await Self.run("deployments", folder.url.path, "0", "none").status == 0)
      let outcome = try await Self.run("deployments", folder.url.path, "\(position)", "full")
      let isRefused = outcome.output.contains("refused: ")
      if isRefused {
        refusals += 1
        #expect(outcome.output.contains("No space left on device"))
      }
      let deployments = try Self.open(folder) { _ in }
      #expect(deployments.version == (isRefused ? 1 : 2), "\(position)")
      let kinds = Set(deployments.events.map(\.kind))
      #expect(kinds.isDisjoint(with: [.died, .rebuilt, .unusable]), "\(position)")
    }
    #expect(refusals > 2)
  }

  @Test("SIGKILL at random moments of many changes leaves one whole version")
  func randomMoments() async throws {
    for _ in 1...10 { #expect(try await crash(.random(in: 0...20_000), "after") == SIGKILL) }
  }

  @Test(
    "K5: processes that die twice of a change, when it is applied or checked, are followed by one that lives",
    arguments: ["applied", "checked"])
  func processesDie(how: String) async throws {
    let folder = try Self.folder()
    #expect(try await Self.run("deployments", folder.url.path, "0", "none").status == 0)
    do {
      let deployments = try Self.open(folder) { _ in }
      try await deployments.receive(Self.document(2, dies: how))
      deployments.end()
    }
    for _ in 1...2 { #expect(try await Self.run("starts", folder.url.path, "0", "none").status == SIGKILL) }
    let lines = try await Self.run("starts", folder.url.path, "0", "none").output
    #expect(lines.contains("applied v1\nversion 1\n"))
    #expect(lines.contains("Deployment 2: died. The app has died 2 of 2 times.\n"))
    #expect(lines.contains("Deployment 2: held back. The app uses version 1, and tries again after 1 h.\n"))
  }

  @Test("A program that dies twice while it checks a document that it received refuses it after that")
  func diesWhileReceiving() async throws {
    let folder = try Self.folder()
    #expect(try await Self.run("deployments", folder.url.path, "0", "none").status == 0)
    let path = folder.url.appending(path: "received").path
    try Data(Self.document(2, dies: "checked")).write(to: URL(filePath: path))
    for _ in 1...2 {
      #expect(try await Self.run("receive", folder.url.path, "0", "none").status == SIGKILL)
    }
    let outcome = try await Self.run("receive", folder.url.path, "0", "none")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("version 1\n"))
    #expect(outcome.output.contains("the app has died with it, so it is held back until"))
  }
}
#endif
