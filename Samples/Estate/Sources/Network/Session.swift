import Synchronization

/// The login of the app's user.
public final class Session: Sendable {
  private struct Member {
    let name: String
    let token: String
  }

  private let member = Mutex<Member?>(nil)

  /// Creates the session of a guest.
  public init() {}

  /// The member's name, or `nil` for a guest.
  public var name: String? { member.withLock { $0?.name } }

  /// Starts the session of a member.
  public func begin(name: String, token: String) {
    member.withLock { $0 = Member(name: name, token: token) }
  }

  /// Makes the token invalid, as it is for the member after the server has forgotten the session.
  public func invalidateToken() {
    member.withLock { member in
      if let name = member?.name { member = Member(name: name, token: "invalid") }
    }
  }

  /// Ends the session, and returns whether there was one.
  @discardableResult public func end() -> Bool {
    member.withLock { member in
      defer { member = nil }
      return member != nil
    }
  }

  var token: String? { member.withLock { $0?.token } }
}
