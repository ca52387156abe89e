/// Handles that each have connections to themselves, so that what one carries shares its connection with nothing else.
///
/// Some stay, with their connections, for the next requests to their origins.
struct LoneHandles {
  private struct Idle {
    let origin: WebOrigin
    let member: HandlePool.Member
  }

  /// The most that stay.
  static let mostIdle = 4

  private var idle: [Idle] = []
  // Handles that come back after everything was forgotten are not kept.
  private var lent: Set<ObjectIdentifier> = []

  /// Returns the handle that an origin's last request left, or one that `make` makes; nil when that makes none.
  mutating func take(for origin: WebOrigin, make: () -> HandlePool.Member?) -> HandlePool.Member? {
    let member: HandlePool.Member
    if let index = idle.lastIndex(where: { $0.origin == origin }) {
      member = idle.remove(at: index).member
    } else {
      guard let made = make() else { return nil }
      member = made
    }
    lent.insert(ObjectIdentifier(member))
    return member
  }

  /// Takes a handle back; the one that has been idle longest goes where there are too many.
  mutating func put(_ member: HandlePool.Member, for origin: WebOrigin) {
    member.transfer = nil
    member.begin()
    guard lent.remove(ObjectIdentifier(member)) != nil, !member.handle.isSpoiled else { return }
    idle.append(Idle(origin: origin, member: member))
    if idle.count > Self.mostIdle { idle.removeFirst() }
  }
}
