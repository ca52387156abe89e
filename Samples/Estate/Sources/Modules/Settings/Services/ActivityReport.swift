import APIManagers
import EstateContract

/// Compares what the app has recorded with what the server has.
struct ActivityReport: Sendable {
  private static let limit = 10

  let client: APIClient
  let journal: (any RecordedActions)?

  /// Uploads what was recorded, and returns the state of the journal and what the server has.
  func load() async throws(APIError) -> (journal: [String], server: RecentActivityAPI.Output) {
    await journal?.flush()
    let lines = journal?.lines ?? ["The user's actions are not recorded."]
    return (lines, try await client.load(RecentActivityAPI(), RecentActivityAPI.Params(limit: Self.limit)))
  }
}
