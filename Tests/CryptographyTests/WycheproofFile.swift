import Foundation

/// A file of test vectors of project Wycheproof, located next to the package's folder.
struct WycheproofFile: Decodable {
  struct Group: Decodable {
    let tagSize: Int?
    let tests: [Vector]
  }

  struct Vector: Decodable {
    let tcId: Int
    let key: String?
    let msg: String?
    let tag: String?
    let ikm: String?
    let salt: String?
    let info: String?
    let size: Int?
    let okm: String?
    let result: String
  }

  let numberOfTests: Int
  let testGroups: [Group]

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../shared/vectors")

  /// Whether the suite can run; on CI it must.
  static let isThere =
    FileManager.default.fileExists(atPath: folder.appending(path: "wycheproof-hmac_sha256.json").path)
    || ProcessInfo.processInfo.environment["CI"] == "true"

  static func read(_ name: String) throws -> WycheproofFile {
    try JSONDecoder().decode(
      WycheproofFile.self, from: Data(contentsOf: folder.appending(path: "wycheproof-\(name).json")))
  }

  static func bytes(_ hexadecimal: String?) throws -> [UInt8] {
    let digits = Array(try require(hexadecimal))
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      try require(UInt8(String(digits[index...(index + 1)]), radix: 16))
    }
  }

  private struct Absent: Error {}

  static func require<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Absent() }
    return value
  }
}
