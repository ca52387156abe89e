import SwitchyardTesting
import Testing

@testable import Mediation

@Suite struct URLScanTests {
  /// The result of scanning a head, or the fault.
  private enum Head: Equatable {
    case read(schemeEnd: Int, hostEnd: Int, headEnd: Int, port: Int?, isWeb: Bool, isHostEscaped: Bool)
    case refused(RouteURL.SyntaxError)

    init(_ scan: () throws(RouteURL.SyntaxError) -> URLScan) {
      do throws(RouteURL.SyntaxError) {
        let scan = try scan()
        self = .read(
          schemeEnd: scan.schemeEnd, hostEnd: scan.hostEnd, headEnd: scan.headEnd, port: scan.port,
          isWeb: scan.isWeb, isHostEscaped: scan.isHostEscaped)
      } catch {
        self = .refused(error)
      }
    }
  }

  /// Checks that both ways to scan a head, one of them only for the usual form, give the same result.
  private static func check(_ text: String) {
    let whole = Head { () throws(RouteURL.SyntaxError) in try URLScan(text.utf8.span) }
    let head = Head { () throws(RouteURL.SyntaxError) in try URLScan(headOf: text.utf8.span) }
    // After a valid head the path may still be invalid.
    if case .read = head, case .refused = whole { return }
    #expect(whole == head, "\(text.debugDescription)")
  }

  @Test(
    "Both ways to scan a head agree",
    arguments: [
      "shop://order", "shop://order/1", "SHOP://Order?x=1", "s://o#f", "shop://a_b-c.d/e", "shop://.hidden/x",
      "shop://a.", "shop://..", "shop://", "shop:///x", "shop:/x", "shop:x", "_app://host/path",
      "a1://host/path/x",
      "ab_c://host/path/x", "abcdefgh://host/path", "abcdefghi://host/path", "http://h.example/a/b/c",
      "https://h.example./a/b/c", "https://h..example/a", "https://.h.example/a", "https://h.example:443/a",
      "HTTPS://H.example/a/b", "httpx://h.example/a/b", "shop://us%65r/x/y/z", "shop://user@host/path",
      "shop://host:80/path", "shop://h\\path/abcdefg", "shop://h[1]/abcdefghijkl", "shop://hôte/abcdefghij",
      "shop://h path/abcdefghij", "://host/abcdefghijkl", "",
    ])
  func heads(text: String) {
    Self.check(text)
    // Place the end in each of the first words, and beyond the first 64 bytes.
    for length in [1, 7, 8, 15, 16, 47, 48, 63, 64, 65, 130] {
      Self.check(text + String(repeating: "a", count: length))
      Self.check(text + "/" + String(repeating: "b", count: length))
      Self.check("s" + String(repeating: "c", count: length) + text)
    }
  }

  @Test("Both ways to scan a random head agree")
  func randomHeads() {
    var numbers = SeededRandom(seed: 11)
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

  @Test("Segments are found across the ends of words", arguments: [1, 5, 30, 60, 62, 63, 64, 65, 120])
  func segments(length: Int) throws {
    let segments = [String(repeating: "a", count: length), "b", String(repeating: "c", count: 70), "d"]
    let text = "shop://h/" + segments.joined(separator: "/")
    for ending in ["", "/", "?q=1", "/?q=1#f", "#f"] {
      let scan = try URLScan((text + ending).utf8.span)
      let bytes = Array((text + ending).utf8)
      let found = scan.starts.withSpan { starts in
        (0..<scan.segmentCount).map { String(decoding: bytes[URLScan.segment($0, starts)], as: UTF8.self) }
      }
      #expect(found == segments)
    }
  }
}
