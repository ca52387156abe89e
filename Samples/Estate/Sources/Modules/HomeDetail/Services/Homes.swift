import APIManagers
import EstateContract

/// Loads homes from any actor, and without a manager, because no delegate waits for them.
struct Homes {
  let client: APIClient

  func home(_ id: Int) async throws(APIError) -> LoadedHome {
    try await client.load(HomeAPI(), HomeAPI.Params(id: id))
  }

  /// Loads several homes at the same time, in two requests; each of them may fail without the others.
  func homes(_ ids: [Int]) async throws -> [Result<LoadedHome, any Error>] {
    let client = try client.mergingComparedHomes()
    return await Batch(over: ids) { id in
      try await client.load(ComparedHomeAPI(), HomeAPI.Params(id: id))
    }.results()
  }
}
