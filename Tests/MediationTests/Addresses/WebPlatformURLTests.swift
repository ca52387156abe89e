import Testing

@testable import Mediation

@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: WebPlatformVector.mustRun, "skipped: ../shared/vectors/wpt-urltestdata.json does not exist"))
struct WebPlatformURLTests {
  @Test("F2: the web platform's test URLs are read as by the standard, except for declared deviations")
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

  @Test("U8: no value in the web platform's test URLs is decoded twice")
  func decodedOnce() throws {
    var escapes = 0
    for vector in try WebPlatformVector.all() {
      guard let url = try? RouteURL(vector.input) else { continue }
      // Written with every byte encoded, the URL must read as the same values.
      let path = url.segments.map { "/" + PercentEncoding.encode($0) }.joined()
      let query = url.query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
      let again = try RouteURL("a://b" + path + "?" + query.joined(separator: "&"))
      #expect(again.segments == url.segments)
      #expect(again.query == url.query)
      escapes += vector.input.utf8.count { $0 == UInt8(ascii: "%") }
    }
    #expect(escapes > 30)
  }

  @Test("The offset of a fault lies within the text")
  func faultOffsets() throws {
    for vector in try WebPlatformVector.all() {
      guard case .failure(let fault) = vector.ours else { continue }
      #expect((0...vector.input.utf8.count).contains(fault.offset))
    }
  }
}
