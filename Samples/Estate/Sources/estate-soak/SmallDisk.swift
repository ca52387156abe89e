import Foundation

/// A disk of its own for the state folder, which can be filled; without the right to mount one, a folder.
struct SmallDisk {
  private static let mebibytes = 64

  let path: String
  /// The file in which the server records; not on the disk, so that it also does while that is full.
  let recordPath: String
  let isBounded: Bool

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "estate-soak-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
    recordPath = folder.path + ".record"
    isBounded =
      geteuid() == 0
      && Self.run(
        "mount", ["-t", "tmpfs", "-o", "size=\(Self.mebibytes)m,mode=0755", "estate-soak", folder.path])
  }

  /// Fills the disk; ``free()`` ends that.
  func fill() {
    guard FileManager.default.createFile(atPath: ballast, contents: nil),
      let file = FileHandle(forWritingAtPath: ballast)
    else { return }
    defer { try? file.close() }
    // Down to the last page.
    for size in [1 << 20, 4_096] {
      while (try? file.write(contentsOf: Data(count: size))) != nil {}
    }
  }

  /// Removes what fills the disk.
  func free() { try? FileManager.default.removeItem(atPath: ballast) }

  func remove() {
    if isBounded { _ = Self.run("umount", ["-l", path]) }
    for path in [path, recordPath] { try? FileManager.default.removeItem(atPath: path) }
  }

  private var ballast: String { path + "/ballast" }

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
