import Testing

@testable import Mediation

@Suite struct URLScanTests {
  /// What a scan says of the head, or the fault it ends with.
  private enum Head: Equatable {
    case read(schemeEnd: Int, hostEnd: Int, headEnd: Int, port: Int?, isWeb: Bool, isHostEscaped: Bool)
    case refused(URLFault)

    init(_ scan: () throws(URLFault) -> URLScan) {
      do throws(URLFault) {
        let scan = try scan()
        self = .read(
          schemeEnd: scan.schemeEnd, hostEnd: scan.hostEnd, headEnd: scan.headEnd, port: scan.port,
          isWeb: scan.isWeb, isHostEscaped: scan.isHostEscaped)
      } catch {
        self = .refused(error)
      }
    }
  }

  /// The head is read by two ways, one of them only for the usual form: neither may know better.
  private static func check(_ text: String) {
    let whole = Head { () throws(URLFault) in try URLScan(text.utf8.span) }
    let head = Head { () throws(URLFault) in try URLScan(headOf: text.utf8.span) }
    // After a good head the path may still be refused.
    if case .read = head, case .refused = whole { return }
    #expect(whole == head, "\(text.debugDescription)")
  }

  @Test(arguments: [
    "shop://order", "shop://order/1", "SHOP://Order?x=1", "s://o#f", "shop://a_b-c.d/e", "shop://.hidden/x",
    "shop://a.", "shop://..", "shop://", "shop:///x", "shop:/x", "shop:x", "_app://host/path",
    "a1://host/path/x",
    "ab_c://host/path/x", "abcdefgh://host/path", "abcdefghi://host/path", "http://h.example/a/b/c",
    "https://h.example./a/b/c", "https://h..example/a", "https://.h.example/a", "https://h.example:443/a",
    "HTTPS://H.example/a/b", "httpx://h.example/a/b", "shop://us%65r/x/y/z", "shop://user@host/path",
    "shop://host:80/path", "shop://h\\path/abcdefg", "shop://h[1]/abcdefghijkl", "shop://hôte/abcdefghij",
    "shop://h path/abcdefghij", "://host/abcdefghijkl", "",
  ])
  func `a head is the same, however it is read`(text: String) {
    Self.check(text)
    // So that it ends in each of the first words, and beyond the first 64 bytes.
    for length in [1, 7, 8, 15, 16, 47, 48, 63, 64, 65, 130] {
      Self.check(text + String(repeating: "a", count: length))
      Self.check(text + "/" + String(repeating: "b", count: length))
      Self.check("s" + String(repeating: "c", count: length) + text)
    }
  }

  @Test func `a head of random characters is the same, however it is read`() {
    var numbers = SeededNumbers(11)
    let letters = Array("aZ09-._+:/?#@%[]&é ")
    for _ in 0..<5_000 {
      let scheme = ["shop", "https", "a", "x1", "_"].randomElement(using: &numbers) ?? ""
      let count = Int.random(in: 0...70, using: &numbers)
      let rest = (0..<count).map { _ in
        Int.random(in: 0..<10, using: &numbers) == 0 ? letters.randomElement(using: &numbers) ?? "a" : "h"
      }
      Self.check(scheme + "://" + String(rest))
    }
  }

  @Test(arguments: [1, 5, 30, 60, 62, 63, 64, 65, 120])
  func `segments are found on either side of a word's end`(
    length: Int
  ) throws {
    let segments = [String(repeating: "a", count: length), "b", String(repeating: "c", count: 70), "d"]
    let text = "shop://h/" + segments.joined(separator: "/")
    for ending in ["", "/", "?q=1", "/?q=1#f", "#f"] {
      let scan = try URLScan((text + ending).utf8.span)
      let bytes = Array((text + ending).utf8)
      let found = (0..<scan.segmentCount).map { String(decoding: bytes[scan.segment($0)], as: UTF8.self) }
      #expect(found == segments)
    }
  }
}
