import APIManagers

/// Refuses pages of a list after the tenth for guests.
///
/// A hook of one manager, which vetoes loads; the app's own hooks apply to all managers.
struct GuestPageLimit: APIHooks {
  static let pages = 10

  let isGuest: @Sendable () -> Bool

  func shouldLoad(_ call: APICall) -> Bool {
    guard let search = call.params as? HomeSearch, isGuest() else { return true }
    return search.page <= Self.pages
  }
}
