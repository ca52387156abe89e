import Foundation
import Testing

@testable import Interception

@Suite struct NULFaultTests {
  @Test(
    "A text with a null byte is refused by the name of the value, and is not shown",
    arguments: ["\0", "a\0", "\0a", "a\0b"])
  func refused(_ text: String) {
    let fault = #expect(throws: NULFault.self) { try text.checkWhole(as: "The path of the key") }
    #expect("\(fault.map { "\($0)" } ?? "")" == "The path of the key contains a null byte; remove it.")
    #expect(!text.isWholeInC)
  }

  @Test("Every other text is accepted", arguments: ["", "a", "0", "\\0", "%00", "\u{1}", "é\u{2400}"])
  func accepted(_ text: String) throws {
    #expect(text.isWholeInC)
    try text.checkWhole(as: "The path of the key")
  }

  @Test("A file is neither read, replaced nor examined by the part of its path before a null byte")
  func files() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).nul").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([1]).write(to: URL(filePath: path))
    for cut in ["\0", "\0.json"] {
      let file = WholeFile(path: path + cut)
      let reading = #expect(throws: WholeFileFault.self) { try file.bytes(upTo: 10) }
      #expect(reading?.reason.contains("null byte") == true)
      let writing = #expect(throws: WholeFileFault.self) {
        try file.replace(with: [2], isSynchronized: false)
      }
      #expect(writing?.reason.contains("null byte") == true)
      #expect(FileStamp.ofFile(at: path + cut) == nil)
      #expect(FileStamp.ofFile(at: path + cut, followingLinks: true) == nil)
      let source = #expect(throws: NetworkError.self) { try FileByteSource(path: path + cut, range: 0..<1) }
      #expect(source?.kind == .invalidRequest && source?.reason.contains("null byte") == true)
    }
    #expect(try WholeFile(path: path).bytes(upTo: 10) == [1])
    #expect(FileStamp.ofFile(at: path) != nil)
  }
}
