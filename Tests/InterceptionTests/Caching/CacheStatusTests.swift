import Interception
import Testing

@Suite struct CacheStatusTests {
  private static let all: [(status: Exchange.CacheStatus, text: String, isHit: Bool)] = [
    (.hit(ttl: 54), "hit; ttl=54", true), (.hit(ttl: -3), "hit; ttl=-3", true),
    (.hit(ttl: 7, isHeuristic: true), "hit; ttl=7; detail=heuristic", true),
    (.forwarded(.bypass, stored: false), "fwd=bypass", false),
    (.forwarded(.method, stored: false), "fwd=method", false),
    (.forwarded(.uriMiss, stored: true), "fwd=uri-miss; stored", false),
    (.forwarded(.varyMiss, stored: true), "fwd=vary-miss; stored", false),
    (.forwarded(.stale, stored: false, collapsed: true), "fwd=stale; collapsed", false),
    (.forwarded(.request, stored: true, collapsed: true), "fwd=request; stored; collapsed", false),
    (.forwarded(.partial, stored: true), "fwd=partial; stored", false),
    (.revalidated(), "fwd=stale; fwd-status=304; stored", true),
    (.revalidated(.request, stored: false), "fwd=request; fwd-status=304", true),
    (.staleOnError(status: 503, ttl: -30), "fwd=stale; fwd-status=503; ttl=-30", true),
    (.staleOnError(.request, status: nil, ttl: 5), "fwd=request; ttl=5", true),
    (.unsatisfied, "detail=only-if-cached", false),
  ]

  @Test("Each status is described as the parameters of a Cache-Status member", arguments: all)
  func description(_ status: Exchange.CacheStatus, text: String, isHit: Bool) {
    #expect(status.description == text)
    #expect(status.isHit == isHit)
  }

  @Test("Each description has the grammar of RFC 9211 and RFC 8941, and hit and fwd exclude each other")
  func grammar() throws {
    let reasons = ["bypass", "method", "uri-miss", "vary-miss", "miss", "request", "stale", "partial"]
    for (status, text, _) in Self.all {
      var parameters: [String: String?] = [:]
      for parameter in status.description.split(separator: ";", omittingEmptySubsequences: false) {
        let parts = parameter.drop { $0 == " " }.split(separator: "=", omittingEmptySubsequences: false)
        let name = String(try #require(parts.first))
        #expect(parts.count <= 2 && parameters[name] == nil, "\(text)")
        #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") })
        parameters[name] = .some(parts.count == 2 ? String(parts[1]) : nil)
      }
      #expect((parameters["hit"] != nil) != (parameters["fwd"] != nil) || status == .unsatisfied, "\(text)")
      for (name, value) in parameters {
        switch name {
        // Booleans: true has no value.
        case "hit", "stored", "collapsed": #expect(value == nil, "\(text)")
        case "fwd": #expect(reasons.contains(value ?? ""), "\(text)")
        case "fwd-status", "ttl": #expect(value.flatMap { Int64($0) } != nil, "\(text)")
        case "detail": #expect(value?.allSatisfy { $0.isLetter || $0 == "-" } == true, "\(text)")
        default: Issue.record("\(name) is no parameter of RFC 9211")
        }
        if name != "fwd", name != "hit", name != "ttl", name != "detail" {
          #expect(parameters["fwd"] != nil, "\(text): \(name) requires fwd")
        }
      }
    }
  }
}
