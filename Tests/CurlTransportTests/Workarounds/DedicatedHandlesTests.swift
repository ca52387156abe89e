import Interception
import Testing

@testable import CurlTransport

@Suite struct DedicatedHandlesTests {
  private static func origin(_ number: Int) -> WebOrigin {
    WebOrigin(scheme: .https, host: "h\(number).test", port: 443)
  }

  @Test("The next request to an origin gets the handle of the previous one")
  func reuse() throws {
    var handles = DedicatedHandles()
    let first = try #require(handles.take(for: Self.origin(1)) { ReusableHandle() })
    let second = try #require(handles.take(for: Self.origin(1)) { ReusableHandle() })
    #expect(first !== second)
    handles.put(first, for: Self.origin(1))
    #expect(handles.take(for: Self.origin(2)) { nil } == nil)
    #expect(handles.take(for: Self.origin(1)) { nil } === first)
  }

  @Test("Beyond the maximum the handle that has been idle longest is released")
  func maximum() throws {
    var handles = DedicatedHandles()
    let members = try (0...DedicatedHandles.maximumIdle).map { number in
      try #require(handles.take(for: Self.origin(number)) { ReusableHandle() })
    }
    for (number, member) in members.enumerated() { handles.put(member, for: Self.origin(number)) }
    #expect(handles.take(for: Self.origin(0)) { nil } == nil)
    for number in 1...DedicatedHandles.maximumIdle {
      #expect(handles.take(for: Self.origin(number)) { nil } === members[number])
    }
  }

  @Test("A handle from before the network changed is not kept")
  func networkChange() throws {
    var handles = DedicatedHandles()
    let member = try #require(handles.take(for: Self.origin(1)) { ReusableHandle() })
    handles = DedicatedHandles()
    handles.put(member, for: Self.origin(1))
    #expect(handles.take(for: Self.origin(1)) { nil } == nil)
  }
}
