import APIManagers

/// Loads single homes.
struct Homes {
  let host: HostApp

  func home(_ id: Int) async throws -> Home {
    let manager = await APIManager(HomeAPI(), in: host)
    let answer = try await manager.response(for: HomeAPI.Params(id: id))
    return try answer.reformed(by: JSONReformer(Home.self), from: manager.identity)
  }
}
