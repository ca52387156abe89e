import CommandRunning
import Foundation

/// The folders of all nested builds: the fixture, and scratch folders for packages with and without a trait.
final class BuildPlace: Sendable {
  /// The folders that the running tests build in.
  @TaskLocal static var current: BuildPlace?

  private let temporary: TemporaryFolder
  /// The scratch folder of packages that enable none of this package's traits.
  let scratch: ScratchFolder
  /// That of packages that enable the trait SQLite, in which `Scripts/test` has compiled the library already.
  let scratchWithSQLite: ScratchFolder
  let fixture: FixturePackage

  init() throws {
    temporary = try TemporaryFolder(prefix: "boundary")
    scratch = ScratchFolder(
      folder: Checkout.scratch("SWITCHYARD_PLAIN_SCRATCH") ?? temporary.url.appending(path: "plain"))
    scratchWithSQLite = ScratchFolder(
      folder: Checkout.scratch("SWITCHYARD_SQLITE_SCRATCH") ?? temporary.url.appending(path: "sqlite"))
    fixture = FixturePackage(folder: temporary.url.appending(path: "Fixture"), scratch: scratch)
  }

  /// Returns a new package with one business module.
  func makeShop() throws -> ShopPackage { try ShopPackage(scratch: scratch) }

  /// Returns the same package for another build system, which shares no modules with the default one.
  func makeShop(buildSystem: String) throws -> ShopPackage {
    try ShopPackage(scratch: scratch(ofBuildSystem: buildSystem))
  }

  /// Returns the scratch folder of another build system than the default one.
  func scratch(ofBuildSystem buildSystem: String) -> ScratchFolder {
    ScratchFolder(folder: temporary.url.appending(path: buildSystem), buildSystem: buildSystem)
  }
}
