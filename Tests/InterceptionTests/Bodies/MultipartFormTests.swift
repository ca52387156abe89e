import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A multipart form")
struct MultipartFormTests {
  /// Gives 1, 2, 3 and so on.
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

  @Test("has the bytes of RFC 7578, to the last one")
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

  @Test("draws a boundary of 128 bits from the generator it is given")
  func boundary() {
    var counter = Counter()
    #expect(MultipartForm(using: &counter).boundary == "00000000000000010000000000000002")
    #expect(MultipartForm(using: &counter).boundary == "00000000000000030000000000000004")
    #expect(MultipartForm().boundary != MultipartForm().boundary)
  }

  @Test(
    "refuses a boundary that RFC 2046 forbids",
    arguments: ["", "a b ", "a;b", "ä", "a\r\nb", "a\"b", String(repeating: "a", count: 71)])
  func illegalBoundary(text: String) {
    let error = #expect(throws: NetworkError.self) { try MultipartForm(boundary: text) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test("quotes a boundary that is no token")
  func quotedBoundary() throws {
    let longest = String(repeating: "a", count: 70)
    #expect(try MultipartForm(boundary: longest).contentType.hasSuffix("boundary=" + longest))
    #expect(try MultipartForm(boundary: "a b:c").contentType == "multipart/form-data; boundary=\"a b:c\"")
  }

  @Test(
    "escapes names and file names as browsers do",
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
    "refuses a content type that is none, and names the part",
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

  @Test("without parts is the closing line alone")
  func empty() async throws {
    let form = try MultipartForm(boundary: "b")
    #expect(form.body.bytes == Array("--b--\r\n".utf8))
  }

  @Test("reads a file piece by piece, again for each attempt")
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

  @Test("with a part that can be read once can be sent once; with one of unknown length has none")
  func once() async throws {
    var form = MultipartForm()
    let source = ScriptedByteSource([[1], [2]])
    try form.append(.once(length: nil, source), named: "live", contentType: "video/mp4")
    #expect(form.length == nil && form.replay == .once && form.body.replay == .once)
    #expect(try await parts(form).map(\.content) == [[1, 2]])
  }

  @Test("fails when a part breaks the length it promised, and names it", arguments: [1, 3])
  func brokenPromise(length: Int64) async throws {
    var form = MultipartForm()
    try form.append(
      .once(length: length, ScriptedByteSource([[1], [2]])), named: "live", contentType: "a/b")
    let body = form.body
    let error = await #expect(throws: NetworkError.self) { try await body.collect(upTo: 1000) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("\"live\"") == true)
  }

  @Test("takes no part that states a negative length")
  func negativeLength() {
    var form = MultipartForm()
    let error = #expect(throws: NetworkError.self) {
      try form.append(.once(length: -5, ScriptedByteSource([])), named: "live", contentType: "a/b")
    }
    #expect(error?.kind == .invalidRequest)
    #expect(form.parts.isEmpty)
  }

  @Test("passes a cancellation on to the part that is being read")
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

  @Test("sets a request's body and content type")
  func apply() throws {
    var request = Request(method: .post, authority: "a.example", path: "/")
    let form = try MultipartForm(boundary: "b")
    form.apply(to: &request)
    #expect(request.head.headerFields[.contentType] == "multipart/form-data; boundary=b")
    #expect(request.body.length == form.length)
  }
}
