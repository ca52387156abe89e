import Synchronization

/// Who is logged in.
public final class Session: Sendable {
  private struct Member {
    let name: String
    let token: String
  }

  private let member = Mutex<Member?>(nil)

  /// Starts with a guest.
  public init() {}

  /// The member's name; nil for a guest.
  public var name: String? { member.withLock { $0?.name } }

  /// Notes that somebody has logged in.
  public func begin(name: String, token: String) {
    member.withLock { $0 = Member(name: name, token: token) }
  }

  /// Makes a guest of the member, and returns whether there was one.
  @discardableResult public func end() -> Bool {
    member.withLock { member in
      defer { member = nil }
      return member != nil
    }
  }

  var token: String? { member.withLock { $0?.token } }
}
