import CommandRunning
import Foundation
import Synchronization

/// The folder of all nested builds: the fixture, a copy of the sample, and the scratch folder that they share.
final class BuildPlace: Sendable {
  /// The place of the running tests.
  @TaskLocal static var current: BuildPlace?

  private let temporary: TemporaryFolder
  let scratch: ScratchFolder
  let fixture: FixturePackage
  private let linkage = Mutex<Command.Outcome?>(nil)

  init() throws {
    temporary = try TemporaryFolder(prefix: "boundary")
    scratch = ScratchFolder(folder: temporary.url.appending(path: "scratch"))
    fixture = FixturePackage(folder: temporary.url.appending(path: "Fixture"), scratch: scratch)
  }

  /// Builds the programs of Tests/LinkageTest, unless they are built.
  func buildLinkageTest() async throws -> Command.Outcome {
    if let outcome = linkage.withLock({ $0 }) { return outcome }
    let outcome = try await scratch.swift(
      "build", package: Checkout.folder.appending(path: "Tests/LinkageTest"))
    linkage.withLock { $0 = outcome }
    return outcome
  }

  /// The copy of the sample as it is delivered; a file that is unchanged keeps its date, so that it is not compiled again.
  func layOutSample() async throws -> URL {
    // The sample's dependencies ask swift-http-types for Foundation. An incremental build after that keeps it linked.
    _ = try await buildLinkageTest()
    let copy = temporary.url.appending(path: "Estate")
    try EstateSample.mirror(to: copy)
    return copy
  }

  /// A package with one business module, in a folder of its own.
  func makeShop() throws -> ShopPackage { try ShopPackage(scratch: scratch) }

  /// The path of a program that was built here.
  func program(_ name: String) -> String { scratch.folder.appending(path: "debug/\(name)").path }
}
