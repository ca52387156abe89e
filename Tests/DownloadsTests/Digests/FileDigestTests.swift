import Foundation
import Interception
import Testing

@testable import Downloads

@Suite("The digest of a file", .timeLimit(.minutes(5)))
struct FileDigestTests {
  private static let digits = "bce0aff19cf5aa6a7469a30d61d04e4376e4bbf6381052ee9e7f33925c954d52"

  @Test("It is created from a hash of the right length, or its digits in either case")
  func legal() throws {
    let digest = try FileDigest(.sha256, hexadecimal: Self.digits)
    #expect(digest.bytes.count == 32 && digest.base64 == "vOCv8Zz1qmp0aaMNYdBOQ3bku/Y4EFLunn8zklyVTVI=")
    #expect(try FileDigest(.sha256, hexadecimal: Self.digits.uppercased()) == digest)
    #expect(try FileDigest(.sha256, bytes: digest.bytes) == digest)
    #expect(try FileDigest(.sha512, bytes: [UInt8](repeating: 1, count: 64)).algorithm == .sha512)
  }

  @Test("A hash of another length, and a text that isn't hexadecimal, are refused with the remedy")
  func illegal() throws {
    for text in ["", "abc", String(Self.digits.dropLast()), Self.digits + "0", "g" + Self.digits.dropFirst()]
    {
      let error = #expect(throws: NetworkError.self) { try FileDigest(.sha256, hexadecimal: text) }
      #expect(error?.kind == .invalidRequest && error?.reason.contains("64 hexadecimal digits") == true)
    }
    let error = #expect(throws: NetworkError.self) { try FileDigest(.sha512, bytes: [1, 2]) }
    #expect(error?.kind == .invalidRequest && error?.reason.contains("64 bytes, not 2") == true)
  }

  @Test("A file is hashed in chunks, also one that ends within a chunk, and an empty one")
  func files() async throws {
    let folder = try DownloadFolder()
    // The last one has more chunks than one turn, and ends within a chunk.
    let known: [(content: [UInt8], digits: String)] = [
      ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ((0..<100).map { UInt8($0) }, Self.digits),
      (
        [UInt8](repeating: 7, count: 9 << 20 | 100),
        "1e48cb796d2c370c544e9e5a51257e12b96bf3f8c4038c08691916a68a04d4df"
      ),
    ]
    for (content, digits) in known {
      try folder.write(content, "file.bin")
      let digest = try await FileHash.digest(ofFileAt: folder.target, by: .sha256)
      #expect(try digest == FileDigest(.sha256, hexadecimal: digits))
    }
    #expect(try await FileHash.digest(ofFileAt: folder.target + ".none", by: .sha512) == nil)
  }

  @Test("A cancelled task stops hashing")
  func cancelled() async throws {
    let folder = try DownloadFolder()
    try folder.write([1, 2, 3], "file.bin")
    let target = folder.target
    let task = Task { () -> NetworkError? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await #expect(throws: NetworkError.self) {
        try await FileHash.digest(ofFileAt: target, by: .sha256)
      }
    }
    #expect(await task.value?.kind == .cancelled(.task))
  }
}
