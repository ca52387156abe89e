extension RequestContext {
  private enum APIKey: ContextKey { static let defaultValue: APIIdentity? = nil }
  private enum CacheRuleKey: ContextKey { static let defaultValue: CacheRule = .off }
  private enum StorageCheckKey: ContextKey { static let defaultValue: StorageCheck? = nil }
  private enum PartitionKey: ContextKey { static let defaultValue = "" }
  private enum ConnectTargetKey: ContextKey {
    static let defaultValue: ConnectTarget? = nil
    static let lifetime = ContextLifetime.attempt
  }

  /// The API that the request calls; signing, caching and logging name it.
  public var api: APIIdentity? {
    get { self[APIKey.self] }
    set { self[APIKey.self] = newValue }
  }

  /// How the answer may be cached; off unless an API turns it on.
  public var cacheRule: CacheRule {
    get { self[CacheRuleKey.self] }
    set { self[CacheRuleKey.self] = newValue }
  }

  /// The API's own say in what may be stored; nil when it has none.
  public var storageCheck: StorageCheck? {
    get { self[StorageCheckKey.self] }
    set { self[StorageCheckKey.self] = newValue }
  }

  /// The account on whose behalf the request is sent; answers of one partition are never given to another one.
  public var partition: String {
    get { self[PartitionKey.self] }
    set { self[PartitionKey.self] = newValue }
  }

  /// The address to connect to in place of the URL's host, for this attempt.
  public var connectTarget: ConnectTarget? {
    get { self[ConnectTargetKey.self] }
    set { self[ConnectTargetKey.self] = newValue }
  }
}
