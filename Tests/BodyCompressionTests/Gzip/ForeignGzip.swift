import Foundation

/// The gzip program of the system: a peer that owes nothing to the code under test.
enum ForeignGzip {
  struct Failure: Error { let status: Int32 }

  static func decode(_ coded: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gzip-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (folder.appending(path: "in.gz"), folder.appending(path: "out"))
    try Data(coded).write(to: input)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", input.path]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return [UInt8](try Data(contentsOf: output))
  }
}
