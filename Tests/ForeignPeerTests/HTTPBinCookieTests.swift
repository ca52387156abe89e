import LoopbackServing
import Testing

@Suite(
  "Cookies of httpbin", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: HTTPBinServer.runsSuites, "httpbin and requests are not installed"))
struct HTTPBinCookieTests {
  @Test("Cookies are set, sent back and deleted as by requests")
  func cookies() async throws {
    let results = try await Peers.results(of: [
      "/cookies", "/cookies/set?a=1&b=2", "/cookies", "/cookies/set/c/3", "/cookies/set?a=4",
      "/cookies/delete?b=", "/cookies", "/cookies/set?words=one%20two%3B%20three", "/headers",
    ])
    #expect(results.allSatisfy { $0.status == 200 })
    let kept = [
      "{}", #"{"a":"1","b":"2"}"#, #"{"a":"1","b":"2"}"#, #"{"a":"1","b":"2","c":"3"}"#,
      #"{"a":"4","b":"2","c":"3"}"#, #"{"a":"4","c":"3"}"#, #"{"a":"4","c":"3"}"#,
      #"{"a":"4","c":"3","words":"one two; three"}"#,
    ]
    #expect(results.dropLast().map(\.json) == kept.map { #"{"cookies":\#($0)}"# })
  }

  @Test("Cookies that a caller sets as one field are received as several cookies")
  func callerCookies() async throws {
    let results = try await Peers.results(of: [
      PeerCall(path: "/cookies", fields: ["Cookie": "a=1; b=2"])
    ])
    #expect(results.map(\.json) == [#"{"cookies":{"a":"1","b":"2"}}"#])
  }
}
