/// The value of `CURLOPT_MAXAGE_CONN`, which has another meaning since libcurl 8.15 if it is zero.
///
/// libcurl before 8.15 compares whole seconds, so that zero ends the reuse of a connection that was idle for
/// a second. Newer versions compare milliseconds, and zero means no limit. There, one second does the same.
///
/// Affected: 8.15 and newer (pull request 17571 of June 2025; seen on 8.23.0). Delete this once the oldest
/// supported version is 8.15, and clamp `idle` of ``ConnectionPolicy`` to at least a second.
enum ZeroIdleTime {
  static func seconds(of idle: Duration, for library: LoadedLibrary) -> Int {
    library.version < LibraryVersion(8, 15) ? idle.seconds : max(idle.seconds, 1)
  }
}
