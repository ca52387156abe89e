import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite("The limit of a request's head")
struct HeadLimitTests {
  private func plan(_ request: Request) throws(NetworkError) -> RequestPlan {
    try RequestPlan(request, sites: SiteCache(.init()))
  }

  @Test("is that of the fields and the target together", arguments: [false, true])
  func exact(isInPath: Bool) throws {
    #expect(try HeadLimit.size(of: .filled(to: HeadLimit.bytes, isInPath: isInPath)) == HeadLimit.bytes)
    _ = try plan(.filled(to: HeadLimit.bytes, isInPath: isInPath))
    let request = try Request.filled(to: HeadLimit.bytes + 1, isInPath: isInPath)
    let error = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains("\(HeadLimit.bytes + 1) bytes of the \(HeadLimit.bytes)"))
    #expect(!error.requestMayHaveBeenProcessed)
  }

  @Test("names the largest field and never its value")
  func culprit() throws {
    var request = Request(authority: "a.test", path: "/path")
    request.head.headerFields[.cookie] = String(repeating: "secret", count: 10_000)
    request.head.headerFields[.referer] = String(repeating: "r", count: 10_000)
    let error = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(error.reason.contains("field Cookie"))
    #expect(!error.reason.contains("secret") && error.reason.utf8.count < 300)
    request.head.headerFields = [:]
    request.head.path = "/" + String(repeating: "secret", count: 20_000)
    let second = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(second.reason.contains("path") && !second.reason.contains("secret"))
  }

  @Test("counts what many small fields cost HTTP/2")
  func manyFields() throws {
    var request = Request(authority: "a.test", path: "/")
    let name = try #require(HTTPField.Name("a"))
    for _ in 0..<5_000 { request.head.headerFields.append(HTTPField(name: name, value: "b")) }
    let error = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(error.kind == .invalidRequest)
    request.head.headerFields.removeSubrange(4_000...)
    _ = try plan(request)
  }
}

extension HeadLimit {
  /// The number of bytes of a request's head.
  static func size(of request: Request) throws(NetworkError) -> Int {
    let plan = try RequestPlan(request, sites: SiteCache(.init()))
    return size(of: plan.lines.headers, path: plan.path)
  }
}

extension Request {
  /// A request whose head has a number of bytes, most of them in its path or in the field `X-Filler`.
  static func filled(
    to size: Int, authority: String = "a.test", scheme: String = "https", path: String = "/",
    isInPath: Bool = false
  ) throws -> Request {
    var request = Request(scheme: scheme, authority: authority, path: path)
    let name = try #require(HTTPField.Name("X-Filler"))
    if !isInPath { request.head.headerFields[name] = "x" }
    let missing = String(repeating: "x", count: size - (try HeadLimit.size(of: request)))
    if isInPath {
      request.head.path = path + missing
    } else {
      request.head.headerFields[name] = "x" + missing
    }
    return request
  }
}
