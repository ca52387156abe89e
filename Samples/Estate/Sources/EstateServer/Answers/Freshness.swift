/// What caches may do with an answer.
enum Freshness {
  /// The caller's own cache may keep it for a minute and ask again by its entity tag.
  case aMinute
  /// Nobody may keep it.
  case never

  var cacheControl: String {
    switch self {
    case .aMinute: "private, max-age=60"
    case .never: "no-store"
    }
  }
}
