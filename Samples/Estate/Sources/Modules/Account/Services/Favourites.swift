import APIManagers
import AccountRoutes
import EstateContract

/// The favourites of a member: those that the server has, and those that wait for the network.
struct Favourites {
  let members: Members
  let changes: (any KeptChanges)?
  let marks: FavouriteMarks

  /// Returns the favourites that the server has, or `nil` without a network if others wait for it.
  func list() async throws -> (known: [Favourite]?, waiting: [Int]) {
    let waiting = try await waiting()
    do throws(APIError) {
      let known = try await members.favourites()
      await marks.update(saved: known.map(\.id), waiting: waiting)
      return (known, waiting)
    } catch {
      guard error.kind == .offline, !waiting.isEmpty else { throw error }
      await marks.update(saved: nil, waiting: waiting)
      return (nil, waiting)
    }
  }

  /// Adds a home, or stores it until there is a network.
  func add(_ home: Int) async throws -> FavouriteReceipt {
    guard let changes, members.client.reachability.status == .offline else {
      let total = try await members.mark(home)
      await marks.add(home)
      return .added(total: total)
    }
    if try await !waiting().contains(home) {
      try await changes.add(
        AddFavouriteAPI.endpoint, AddFavouriteAPI.Params(home: home), resource: Self.prefix + "\(home)")
    }
    let waiting = try await waiting()
    await marks.update(saved: nil, waiting: waiting)
    return .queued(waiting: waiting.count)
  }

  /// Removes a home that waits for the network, and returns whether it did.
  func cancel(_ home: Int) async throws -> Bool {
    let isCancelled = try await changes?.cancel(Self.prefix + "\(home)") ?? false
    await marks.update(saved: nil, waiting: try await waiting())
    return isCancelled
  }

  private static let prefix = "favourites/"

  private func waiting() async throws -> [Int] {
    try await changes?.resources().compactMap { resource in
      resource.hasPrefix(Self.prefix) ? Int(resource.dropFirst(Self.prefix.count)) : nil
    } ?? []
  }
}
