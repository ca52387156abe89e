/// How long caches may use a response.
enum Freshness {
  /// For a minute, in the client's own cache; then they revalidate it by its entity tag.
  case aMinute
  /// For an hour, likewise.
  case anHour
  /// They must not store it.
  case never

  var cacheControl: String {
    switch self {
    case .aMinute: "private, max-age=60"
    case .anHour: "private, max-age=3600"
    case .never: "no-store"
    }
  }
}
