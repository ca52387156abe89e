import BodyFormats
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A multipart form")
struct MultipartFormTests {
  /// A generator that returns 1, 2, 3 and so on.
  struct Counter: RandomNumberGenerator {
    var last: UInt64 = 0
    mutating func next() -> UInt64 {
      last += 1
      return last
    }
  }

  private func parts(_ form: MultipartForm) async throws -> [StrictMultipart.Part] {
    let bytes = try await form.body.collect(upTo: 1 << 22)
    #expect(form.length == nil || form.length == Int64(bytes.count))
    #expect(form.body.length == form.length)
    return try StrictMultipart(bytes, boundary: form.boundary).parts
  }

  @Test("A form is written as the bytes of RFC 7578")
  func bytes() async throws {
    var form = try MultipartForm(boundary: "AaB03x")
    form.append("Harbour at dawn", named: "title")
    try form.append(bytes: [0xFF, 0x0D], named: "photo", fileName: "dawn.bin")
    let expected =
      Array(
        """
        --AaB03x\r
        Content-Disposition: form-data; name="title"\r
        \r
        Harbour at dawn\r
        --AaB03x\r
        Content-Disposition: form-data; name="photo"; filename="dawn.bin"\r
        Content-Type: application/octet-stream\r
        \r\n
        """.utf8) + [0xFF, 0x0D] + Array("\r\n--AaB03x--\r\n".utf8)
    #expect(form.body.bytes == expected)
    #expect(form.contentType == "multipart/form-data; boundary=AaB03x")
    #expect(form.replay == .any)
  }

  @Test("The boundary is 128 bits drawn from the given generator")
  func boundary() {
    var counter = Counter()
    #expect(MultipartForm(using: &counter).boundary == "00000000000000010000000000000002")
    #expect(MultipartForm(using: &counter).boundary == "00000000000000030000000000000004")
    #expect(MultipartForm().boundary != MultipartForm().boundary)
  }

  @Test(
    "A boundary that RFC 2046 forbids is refused",
    arguments: ["", "a b ", "a;b", "ä", "a\r\nb", "a\"b", String(repeating: "a", count: 71)])
  func illegalBoundary(text: String) {
    let error = #expect(throws: NetworkError.self) { try MultipartForm(boundary: text) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test("A boundary that is not a token is quoted")
  func quotedBoundary() throws {
    let longest = String(repeating: "a", count: 70)
    #expect(try MultipartForm(boundary: longest).contentType.hasSuffix("boundary=" + longest))
    #expect(try MultipartForm(boundary: "a b:c").contentType == "multipart/form-data; boundary=\"a b:c\"")
  }

  @Test(
    "Names and file names are escaped as browsers do",
    arguments: [
      ("plain", "plain"), ("a\"b", "a%22b"), ("a\r\nX: y", "a%0D%0AX: y"), ("50%", "50%"), ("a\\b", "a\\b"),
      ("übersicht 資料", "übersicht 資料"), ("a\0b", "a%00b"),
    ])
  func names(name: String, escaped: String) async throws {
    var form = MultipartForm()
    try form.append(bytes: [1], named: name, fileName: name, contentType: "image/png")
    #expect(
      try await parts(form).map(\.fields) == [
        [
          "Content-Disposition: form-data; name=\"\(escaped)\"; filename=\"\(escaped)\"",
          "Content-Type: image/png",
        ]
      ])
  }

  @Test(
    "A malformed content type is refused, and the error names the part",
    arguments: ["", "png", "image/", "image/png\r\nX: y", "ima ge/png", "image/png; a=\u{7F}", "a/b/c"])
  func contentType(text: String) {
    var form = MultipartForm()
    let error = #expect(throws: NetworkError.self) {
      try form.append(bytes: [1], named: "photo", contentType: text)
    }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("photo") == true)
    #expect(form.parts.isEmpty)
  }

  @Test("A form without parts is only the closing line")
  func empty() async throws {
    let form = try MultipartForm(boundary: "b")
    #expect(form.body.bytes == Array("--b--\r\n".utf8))
  }

  @Test("A file is read in pieces, and again for each attempt")
  func file() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()) ä.bin").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try Data(content).write(to: URL(filePath: path))
    var form = MultipartForm()
    form.append("1", named: "before")
    try form.append(file: path, named: "file", contentType: "image/jpeg")
    form.append("2", named: "after")
    #expect(form.replay == .any && form.body.replay == .any && form.body.bytes == nil)
    for _ in 0..<2 {
      let parts = try await parts(form)
      #expect(parts.map(\.content) == [Array("1".utf8), content, Array("2".utf8)])
      let name = URL(filePath: path).lastPathComponent
      #expect(parts[1].fields.first == "Content-Disposition: form-data; name=\"file\"; filename=\"\(name)\"")
    }
    let source = try await form.body.open()
    var largest = 0
    while let chunk = try await source.read() { largest = max(largest, chunk.count) }
    #expect(largest <= 64 << 10)
  }

  @Test("A form with a single-use part can be sent once, and with a part of unknown length has no length")
  func once() async throws {
    var form = MultipartForm()
    let source = ScriptedByteSource([[1], [2]])
    try form.append(.once(length: nil, source), named: "live", contentType: "video/mp4")
    #expect(form.length == nil && form.replay == .once && form.body.replay == .once)
    #expect(try await parts(form).map(\.content) == [[1, 2]])
  }

  @Test("A part whose length differs from the declared one fails, and the error names it", arguments: [1, 3])
  func brokenPromise(length: Int64) async throws {
    var form = MultipartForm()
    try form.append(
      .once(length: length, ScriptedByteSource([[1], [2]])), named: "live", contentType: "a/b")
    let body = form.body
    let error = await #expect(throws: NetworkError.self) { try await body.collect(upTo: 1000) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("\"live\"") == true)
  }

  @Test("A part with a negative length is refused")
  func negativeLength() {
    var form = MultipartForm()
    let error = #expect(throws: NetworkError.self) {
      try form.append(.once(length: -5, ScriptedByteSource([])), named: "live", contentType: "a/b")
    }
    #expect(error?.kind == .invalidRequest)
    #expect(form.parts.isEmpty)
  }

  @Test("A cancellation is passed on to the part being read")
  func cancellation() async throws {
    var form = MultipartForm()
    let part = ScriptedByteSource([[1], [2]])
    try form.append(.once(length: 2, part), named: "live", contentType: "a/b")
    let source = try await form.body.open()
    _ = try await source.read()
    #expect(try await source.read() == [1])
    source.cancel()
    #expect(part.isCancelled)
    let error = await #expect(throws: NetworkError.self) { try await source.read() }
    #expect(error?.kind == .cancelled(.task))
  }

  @Test("A form sets a request's body and content type")
  func apply() throws {
    var request = Request(method: .post, authority: "a.example", path: "/")
    let form = try MultipartForm(boundary: "b")
    form.apply(to: &request)
    #expect(request.head.headerFields[.contentType] == "multipart/form-data; boundary=b")
    #expect(request.body.length == form.length)
  }
}
