import HTTPTypes
import Testing

@testable import ResponseCaching

@Suite("Storable fields")
struct StorableFieldsTests {
  private static func fields(_ names: [String]) -> HTTPFields {
    HTTPFields(
      names.enumerated().compactMap { index, text in
        let parts = text.split(separator: "=", maxSplits: 1)
        return HTTPField.Name(String(parts[0])).map {
          HTTPField(name: $0, value: parts.count > 1 ? String(parts[1]) : String(index))
        }
      })
  }

  @Test(
    "Fields of the connection are left out, and the others keep their order",
    arguments: [
      ([], []),
      (["Server", "Date", "Content-Type", "Cookie"], ["Server", "Date", "Content-Type", "Cookie"]),
      (["Date", "Connection=keep-alive", "Keep-Alive=timeout=5", "ETag"], ["Date", "ETag"]),
      (["Connection", "KEEP-ALIVE", "TE", "Upgrade", "Transfer-Encoding", "Proxy-Connection"], []),
      (["Proxy-Authenticate", "A", "Proxy-Authentication-Info", "B", "Proxy-Authorization"], ["A", "B"]),
      (["X-A", "Connection=X-A, x-b", "X-B", "X-C", "x-a", "Connection=X-D", "X-D"], ["X-C"]),
      (["Connection=Vary", "B", "Vary", "A", "Vary", "B", "TE"], ["B", "A", "B"]),
      (
        ["Proxy-Status", "TE-2", "Trailer", "Keep", "Upgrade-Insecure-Requests"],
        ["Proxy-Status", "TE-2", "Trailer", "Keep", "Upgrade-Insecure-Requests"]
      ),
      (["Set-Cookie", "A", "Set-Cookie", "B"], ["A", "B"]),
    ] as [([String], [String])])
  func connection(given: [String], stored: [String]) {
    let fields = Self.fields(given)
    let storable = fields.storable(without: ["set-cookie"])
    #expect(storable.map(\.name.rawName) == stored)
    // The values are numbers in the order given.
    #expect(storable.compactMap { Int($0.value) } == storable.compactMap { Int($0.value) }.sorted())
  }

  @Test("Fields that may all be stored are the same")
  func untouched() {
    let fields = Self.fields(["Date", "ETag", "Set-Cookie", "ETag"])
    #expect(fields.storable() == fields)
  }
}
