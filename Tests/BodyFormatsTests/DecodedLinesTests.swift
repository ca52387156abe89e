import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import BodyFormats

@Suite("DecodedLines")
struct DecodedLinesTests {
  private struct Tick: Decodable, Hashable { let price: Int }

  private func response(_ text: String, type: String = "application/x-ndjson") -> Response {
    Response(status: .ok, headerFields: [.contentType: type], bytes: Array(text.utf8))
  }

  /// Reads values until the end or an error.
  private func read(
    _ response: Response, upTo limit: Int = 1_000
  ) async throws -> (values: [Tick], error: BodyDecodingError?) {
    var iterator = try await response.decodedLines(as: Tick.self, upTo: limit).makeAsyncIterator()
    var values: [Tick] = []
    do throws(BodyDecodingError) {
      while let value = try await iterator.next() { values.append(value) }
      return (values, nil)
    } catch {
      // The sequence has ended with the error.
      #expect(try await iterator.next() == nil)
      return (values, error)
    }
  }

  @Test(
    "Each line is a value, whatever ends it, and empty lines are none",
    arguments: [
      "{\"price\":1}\n{\"price\":2}\n", "{\"price\":1}\r\n\r\n\n{\"price\":2}",
      "\n{\"price\":1}\n{\"price\":2}\r",
    ])
  func lines(text: String) async throws {
    let (values, error) = try await read(response(text))
    #expect(values == [Tick(price: 1), Tick(price: 2)])
    #expect(error == nil)
  }

  @Test("Content without a line has no values", arguments: ["", "\n", "\r\n\r\n"])
  func empty(text: String) async throws {
    let (values, error) = try await read(response(text))
    #expect(values.isEmpty && error == nil)
  }

  @Test("The lines do not depend on how the bytes are divided", arguments: [1, 2, 3, 7, 1_000])
  func pieces(size: Int) throws {
    let bytes = Array("first\r\n\nsecond line\n\r\nthird".utf8)
    var splitter = LineSplitter(limit: 100)
    var lines: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      splitter.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      while let line = try splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    if let line = splitter.finish() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(lines == ["first", "second line", "third"])
    #expect(splitter.number == 5)
  }

  @Test("An error names the line and the field, and ends the values")
  func malformed() async throws {
    let (values, error) = try await read(response("{\"price\":1}\n\n{\"price\":\"secret\"}\n{\"price\":3}\n"))
    #expect(values == [Tick(price: 1)])
    #expect(error?.kind == .mismatch && error?.field == "price")
    #expect(error?.reason.hasPrefix("Line 3: ") == true && error?.reason.contains("secret") == false)
    let (_, cut) = try await read(response("{\"price\":1}\n{\"pri"))
    #expect(cut?.kind == .malformed && cut?.reason.hasPrefix("Line 2: ") == true)
  }

  @Test("A line beyond the limit is refused before it is complete, and a shorter one is not")
  func limit() async throws {
    let line = "{\"price\":1}"
    let (values, error) = try await read(response("\(line)\n\(line)  \n"), upTo: line.utf8.count)
    #expect(values == [Tick(price: 1)])
    #expect(error?.kind == .tooLarge(limit: line.utf8.count) && error?.reason.contains("Line 2") == true)
  }

  @Test("A status and a content type that can't be values are refused before the content is read")
  func refusals() async throws {
    let missing = await #expect(throws: BodyDecodingError.self) {
      _ = try await Response(status: .notFound, bytes: Array("gone".utf8)).decodedLines(as: Tick.self)
    }
    #expect(missing?.kind == .status(404))
    #expect(try await missing?.response?.body.collect(upTo: 10) == Array("gone".utf8))
    let page = await #expect(throws: BodyDecodingError.self) {
      _ = try await response("<html>", type: "image/png").decodedLines(as: Tick.self)
    }
    #expect(page?.kind == .contentType)
  }

  @Test("Values come before the content has ended, and a lost stream is an error with its cause")
  func live() async throws {
    let source = ScriptedByteSource(
      [Array("{\"price\":1}\n{\"pr".utf8), Array("ice\":2}\n".utf8)],
      endingWith: NetworkError(.transport, "The connection was lost."))
    let live = Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, source)))
    let (values, error) = try await read(live)
    #expect(values == [Tick(price: 1), Tick(price: 2)])
    #expect(error?.kind == .unread)
    #expect((error?.underlying as? NetworkError)?.kind == .transport)
  }
}
