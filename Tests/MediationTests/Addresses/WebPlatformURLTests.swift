import Testing

@testable import Mediation

@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: WebPlatformVector.mustRun, "skipped: ../shared/vectors/wpt-urltestdata.json is not there"))
struct WebPlatformURLTests {
  @Test("F2: the web platform's URLs are read as the standard reads them, but for the declared deviations")
  func deviations() throws {
    let vectors = try WebPlatformVector.all()
    #expect(vectors.count == 891)
    var counts: [String: Int] = [:]
    for vector in vectors where !vector.agrees {
      let classes = WebPlatformDeviation.all.filter { $0.holds(vector) }.map(\.name)
      #expect(classes.count == 1, "\(vector.input.debugDescription): \(classes) \(vector.ours)")
      for name in classes { counts[name, default: 0] += 1 }
    }
    for deviation in WebPlatformDeviation.all {
      #expect(counts[deviation.name, default: 0] == deviation.count, "\(deviation.name): \(deviation.why)")
    }
  }

  @Test("U8: none of the web platform's URLs has a value that was decoded twice")
  func decodedOnce() throws {
    var escapes = 0
    for vector in try WebPlatformVector.all() {
      guard let url = try? RouteURL(vector.input) else { continue }
      // Written again with every byte encoded, the same values must be read.
      let path = url.segments.map { "/" + PercentEncoding.encode($0) }.joined()
      let query = url.query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
      let again = try RouteURL("a://b" + path + "?" + query.joined(separator: "&"))
      #expect(again.segments == url.segments)
      #expect(again.query == url.query)
      escapes += vector.input.utf8.count { $0 == UInt8(ascii: "%") }
    }
    #expect(escapes > 30)
  }

  @Test func `a fault lies within the text`() throws {
    for vector in try WebPlatformVector.all() {
      guard case .failure(let fault) = vector.ours else { continue }
      #expect((0...vector.input.utf8.count).contains(fault.offset))
    }
  }
}
