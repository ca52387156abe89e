import Interception
import Testing

@testable import CurlTransport

@Suite struct LoneHandlesTests {
  private static func origin(_ number: Int) -> WebOrigin {
    WebOrigin(scheme: .https, host: "h\(number).test", port: 443)
  }

  @Test func `the next request to an origin gets the handle that the last one left`() throws {
    var lone = LoneHandles()
    let first = try #require(lone.take(for: Self.origin(1)) { HandlePool.Member() })
    let second = try #require(lone.take(for: Self.origin(1)) { HandlePool.Member() })
    #expect(first !== second)
    lone.put(first, for: Self.origin(1))
    #expect(lone.take(for: Self.origin(2)) { nil } == nil)
    #expect(lone.take(for: Self.origin(1)) { nil } === first)
  }

  @Test func `few stay, and the one that has been idle longest goes first`() throws {
    var lone = LoneHandles()
    let members = try (0...LoneHandles.mostIdle).map { number in
      try #require(lone.take(for: Self.origin(number)) { HandlePool.Member() })
    }
    for (number, member) in members.enumerated() { lone.put(member, for: Self.origin(number)) }
    #expect(lone.take(for: Self.origin(0)) { nil } == nil)
    for number in 1...LoneHandles.mostIdle {
      #expect(lone.take(for: Self.origin(number)) { nil } === members[number])
    }
  }

  @Test func `a handle of before the network changed is not kept`() throws {
    var lone = LoneHandles()
    let member = try #require(lone.take(for: Self.origin(1)) { HandlePool.Member() })
    lone = LoneHandles()
    lone.put(member, for: Self.origin(1))
    #expect(lone.take(for: Self.origin(1)) { nil } == nil)
  }
}
