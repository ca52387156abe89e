public import Interception

extension Stage {
  /// Merges requests to one API, after sharing and before redirects and retries; rank 220.
  public static let merging = Stage(rank: 220, name: "merging")
}
