/// Typed values that accompany a request; an interceptor's changes are visible only to the steps after it.
///
/// A context is a value with copy-on-write storage, so that copying a request copies one reference. Lookup by
/// key is a linear search, because a context has only a few values. Those of the library itself are stored
/// properties.
public struct RequestContext: Sendable {
  private var values = Values.empty

  // Stored outside the values, which would otherwise be copied for every request that has a target.
  /// The address to connect to instead of the URL's host, for this attempt.
  public var connectTarget: ConnectTarget?

  /// Decodes samples of the response's content, for interceptors that see it as it was sent; nil if nothing
  /// will decode it.
  package var sampleDecoder: SampleDecoder?

  /// The API that the request calls, for signing, caching and logging.
  public var api: APIIdentity? {
    get { values.api }
    _modify {
      makeUnique()
      yield &values.api
    }
  }

  /// How the response may be cached; `.inherited` by default.
  public var cacheRule: CacheRule {
    get { values.cacheRule }
    _modify {
      makeUnique()
      yield &values.cacheRule
    }
  }

  /// The data in the response, by which a cache can remove it; none by default.
  package var cacheTags: Set<CacheRule.Tag> {
    get { values.cacheTags }
    _modify {
      makeUnique()
      yield &values.cacheTags
    }
  }

  /// The API's check of whether a response may be stored, if any.
  package var storageCheck: CacheRule.StorageCheck? {
    get { values.storageCheck }
    _modify {
      makeUnique()
      yield &values.storageCheck
    }
  }

  /// What stands between the partitions of several accounts on whose behalf a request is sent.
  package static let partitionSeparator = "\u{0}\u{0}"

  /// The account on whose behalf the request is sent; cached responses are never shared between partitions.
  public var partition: String {
    get { values.partition }
    _modify {
      makeUnique()
      yield &values.partition
    }
  }

  /// The header fields of the request and its response that are credentials: the usual ones, those of the
  /// pipeline, and those that interceptors have added.
  ///
  /// Insert the name of a field in the same step that sets it.
  public var credentialFields: CredentialFields {
    get { values.credentialFields }
    _modify {
      makeUnique()
      yield &values.credentialFields
    }
  }

  /// The end of the call, if ``RequestOptions/Timeouts/call`` limits it; set by the pipeline.
  package var deadline: CallDeadline? {
    get { values.deadline }
    _modify {
      makeUnique()
      yield &values.deadline
    }
  }

  /// Whether a redirect has led the request to another origin than that of its first URL.
  ///
  /// An interceptor that adds credentials by the caller's choice alone, rather than by the authority, doesn't
  /// add them then. It stays true if a later redirect leads back.
  public var hasLeftOrigin: Bool {
    get { values.hasLeftOrigin }
    _modify {
      makeUnique()
      yield &values.hasLeftOrigin
    }
  }

  /// The request's part in a race for a connection, for this attempt; a dispatcher with
  /// ``DispatcherCapabilities/connectRacing`` obeys it.
  package var raceEntry: ConnectRace.Entry? {
    get { values.raceEntry }
    _modify {
      makeUnique()
      yield &values.raceEntry
    }
  }

  /// The port at which the origin speaks HTTP/3 by an HTTPS record of its name (RFC 9460), for this attempt;
  /// nil if nothing is known.
  ///
  /// A dispatcher with ``DispatcherCapabilities/http3Records`` obeys it.
  package var http3RecordPort: Int? {
    get { values.http3RecordPort }
    _modify {
      makeUnique()
      yield &values.http3RecordPort
    }
  }

  /// The protocol to which the server is asked to switch (RFC 9110, section 7.8), in lowercase; nil for none.
  ///
  /// A dispatcher with ``DispatcherCapabilities/protocolUpgrade`` adds `Upgrade` and `Connection`, and its
  /// response with the status 101 has a ``Response/connection``. Interceptors that answer a request with the
  /// response to another one, or send it elsewhere, leave such a request alone.
  package var upgrade: String? {
    get { values.upgrade }
    _modify {
      makeUnique()
      yield &values.upgrade
    }
  }

  /// Creates an empty context.
  public init() {}

  /// The value of a key, or the key's default value.
  public subscript<Key: ContextKey>(_ key: Key.Type) -> Key.Value {
    get {
      // Most contexts have no values of keys, and interceptors look up several.
      guard !values.entries.isEmpty else { return key.defaultValue }
      return values.value(of: key)
    }
    set {
      makeUnique()
      values.set(key, to: newValue)
    }
  }

  /// Whether the context has values of custom keys.
  package var hasCustomValues: Bool { !values.entries.isEmpty }

  /// Returns whether both contexts have the same values of custom keys.
  ///
  /// A value that isn't `Equatable` is never the same as another one, because they can't be compared.
  package func hasSameCustomValues(as other: RequestContext) -> Bool {
    let (entries, others) = (values.entries, other.values.entries)
    return entries.count == others.count
      && entries.allSatisfy { entry in
        others.contains { $0.key == entry.key && Self.areEqual(entry.value, $0.value) }
      }
  }

  private static func areEqual(_ left: any Sendable, _ right: any Sendable) -> Bool {
    func isRight<Value: Equatable>(_ left: Value) -> Bool { right as? Value == left }
    guard let left = left as? any Equatable else { return false }
    return isRight(left)
  }

  mutating func removeAttemptValues() {
    connectTarget = nil
    guard
      values.raceEntry != nil || values.http3RecordPort != nil
        || values.entries.contains(where: { $0.isOfAttempt })
    else { return }
    makeUnique()
    values.raceEntry = nil
    values.http3RecordPort = nil
    values.entries.removeAll { $0.isOfAttempt }
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&values) { values = Values(values) }
  }
}

extension RequestContext {
  /// The storage of a context.
  // Values are modified only by a context that holds the sole reference, so no other thread observes a
  // change.
  final class Values: @unchecked Sendable {
    struct Entry: Sendable {
      let key: ObjectIdentifier
      /// Whether the value is kept until the next attempt only.
      let isOfAttempt: Bool
      var value: any Sendable
    }

    /// The values of every new context, so that creating one allocates nothing.
    ///
    /// They are never modified, because this constant holds a reference to them.
    static let empty = Values()

    // As with a request's parts, the compiler guarantees that accesses don't overlap.
    @exclusivity(unchecked) var entries: [Entry] = []
    @exclusivity(unchecked) var api: APIIdentity?
    @exclusivity(unchecked) var cacheRule = CacheRule.inherited
    @exclusivity(unchecked) var cacheTags: Set<CacheRule.Tag> = []
    @exclusivity(unchecked) var storageCheck: CacheRule.StorageCheck?
    @exclusivity(unchecked) var partition = ""
    @exclusivity(unchecked) var credentialFields = CredentialFields()
    @exclusivity(unchecked) var deadline: CallDeadline?
    @exclusivity(unchecked) var hasLeftOrigin = false
    @exclusivity(unchecked) var raceEntry: ConnectRace.Entry?
    @exclusivity(unchecked) var http3RecordPort: Int?
    @exclusivity(unchecked) var upgrade: String?

    private init() {}

    init(_ other: Values) {
      entries = other.entries
      api = other.api
      cacheRule = other.cacheRule
      cacheTags = other.cacheTags
      storageCheck = other.storageCheck
      partition = other.partition
      credentialFields = other.credentialFields
      deadline = other.deadline
      hasLeftOrigin = other.hasLeftOrigin
      raceEntry = other.raceEntry
      http3RecordPort = other.http3RecordPort
      upgrade = other.upgrade
    }

    @inline(never)
    func value<Key: ContextKey>(of key: Key.Type) -> Key.Value {
      let wanted = ObjectIdentifier(key)
      for entry in entries where entry.key == wanted {
        if let value = entry.value as? Key.Value { return value }
      }
      return key.defaultValue
    }

    func set<Key: ContextKey>(_ key: Key.Type, to value: Key.Value) {
      let wanted = ObjectIdentifier(key)
      if let index = entries.firstIndex(where: { $0.key == wanted }) {
        entries[index].value = value
      } else {
        entries.append(Entry(key: wanted, isOfAttempt: key is any AttemptContextKey.Type, value: value))
      }
    }
  }
}

extension RequestContext {
  private enum RedirectModeKey: ContextKey { static let defaultValue = RedirectMode.follow }

  /// What happens to redirects of this request; they are followed by default.
  ///
  /// It has an effect only in a chain with a `RedirectInterceptor`: dispatchers follow no redirects. Set it
  /// to ``RedirectMode/manual`` for a request whose body has a secret, such as one for a token.
  public var redirects: RedirectMode {
    get { self[RedirectModeKey.self] }
    set { self[RedirectModeKey.self] = newValue }
  }

  private enum StaysInOriginKey: ContextKey { static let defaultValue = false }

  /// Whether `RedirectInterceptor` refuses a redirect to another origin, to which it then sends nothing;
  /// false by default.
  ///
  /// It is for requests whose sender must reach its own origin only, such as the page of a web view.
  package var staysInOrigin: Bool {
    get { self[StaysInOriginKey.self] }
    set { self[StaysInOriginKey.self] = newValue }
  }
}
