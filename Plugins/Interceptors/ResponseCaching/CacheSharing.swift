import HTTPTypes
import Interception

/// Whom a cache serves (RFC 9111, section 1).
package enum CacheSharing: Sendable, Hashable {
  /// One user, or several that `RequestContext.partition` or their credentials keep apart: the cache of an
  /// app.
  case `private`
  /// Many users, who get each other's responses: the cache of a server or a gateway.
  ///
  /// `s-maxage` and `proxy-revalidate` are obeyed, and `private` forbids to store. A response to a request
  /// with `Authorization` is stored only if it says `public`, `must-revalidate` or `s-maxage` (section 3.5).
  /// The credentials of a request are not part of the key: an origin server whose responses depend on them
  /// must say so by these directives or by `Vary`. Partitions are kept apart as in a private cache.
  case shared
}
