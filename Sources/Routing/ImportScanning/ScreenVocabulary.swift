/// What a screen may not name: transports, stores and interceptors.
///
/// A name is one of them by a known name, by its ending, or because the module or a target that it uses
/// declares it as one: a type that conforms to `Interceptor`, a subclass, or an alias.
struct ScreenVocabulary: Sendable {
  /// What a name stands for.
  enum Role: String, Sendable, Hashable {
    case transport, store, interceptor

    /// What to do instead of naming it in a screen.
    var remedy: String {
      switch self {
      case .transport: "let a type in Services load, and give the screen the items"
      case .store: "keep the data by a type in DataCenter, and give the screen the items"
      case .interceptor: "give it to the app's pipeline, or to the client that a type in Services uses"
      }
    }
  }

  private static let transports: Set<String> = [
    "HTTPClient", "NSURLConnection", "NSURLSession", "NWBrowser", "NWConnection", "NWListener", "Pipeline",
    "PipelineBuilder", "URLConnection",
  ]
  private static let stores: Set<String> = [
    "FileHandle", "FileManager", "HTTPCookieStorage", "ModelContainer", "ModelContext", "NSCache",
    "NSManagedObjectContext", "NSPersistentContainer", "URLCache", "URLCredentialStorage", "UserDefaults",
  ]
  /// The endings of type names.
  private static let endings: [(ending: String, role: Role)] = [
    ("Dispatcher", .transport), ("Transport", .transport), ("Store", .store), ("Interceptor", .interceptor),
  ]

  private static let transportModules: Set<String> = [
    "Alamofire", "AsyncHTTPClient", "CLibcurl", "CurlTransport", "FoundationNetworking", "Network",
    "URLSessionTransport",
  ]
  private static let storeModules: Set<String> = [
    "CoreData", "GRDB", "NonceStores", "RealmSwift", "SQLite3", "SQLiteStores", "SwiftData", "ValkeyStores",
  ]
  /// The modules of the library that contain interceptors.
  static let interceptorModules: Set<String> = [
    "BodyCompression", "CookieKeeping", "DNSBypass", "MessageSignatures", "RateLimiting", "RedirectFollowing",
    "RequestAuthorization", "RequestLogging", "RequestMerging", "RequestRetry", "RequestSharing",
    "RequestSigning", "RequestTelemetry", "RequestValidation", "ResponseCaching", "VendorSignatures",
  ]

  private let declared: [String: Role]
  private let items: Set<String>

  /// Reads the declarations of a module and of the local targets that it uses.
  ///
  /// - Parameter items: The types of the module's items, whose names alone make none of them a store: a
  ///   `GroceryStore` is an item.
  init(_ declarations: some Sequence<SourceOutline.Declaration>, items: Set<String>) {
    var dependents: [String: [String]] = [:]
    for declaration in declarations {
      for base in declaration.bases where base != declaration.name {
        dependents[base, default: []].append(declaration.name)
      }
    }
    var declared: [String: Role] = [:]
    var rest: [(name: String, role: Role)] = []
    for base in dependents.keys.sorted() where !items.contains(base) {
      if let role = Self.role(ofType: base) { rest.append((base, role)) }
    }
    while let (base, role) = rest.popLast() {
      for name in dependents[base] ?? [] where declared[name] == nil {
        declared[name] = role
        rest.append((name, role))
      }
    }
    self.declared = declared
    self.items = items
  }

  /// Returns what a name stands for, if a screen may not use it.
  func role(of use: SourceOutline.Use) -> Role? {
    if use.isMember, use.name == "dispatcher" { return .transport }
    return role(of: use.name)
  }

  /// Returns what a type is, if a screen may not use it.
  func role(of name: String) -> Role? {
    declared[name] ?? (items.contains(name) ? nil : Self.role(ofType: name))
  }

  /// Returns what the types of a module are, if a screen may not import it.
  static func role(ofModule name: String) -> Role? {
    if transportModules.contains(name) || name.hasPrefix("NIO") || name.hasSuffix("Transport") {
      return .transport
    }
    if storeModules.contains(name) || name.hasSuffix("Stores") { return .store }
    return interceptorModules.contains(name) || name.hasSuffix("Interceptors") ? .interceptor : nil
  }

  private static func role(ofType name: String) -> Role? {
    if transports.contains(name) || name.hasPrefix("URLSession") { return .transport }
    if stores.contains(name) { return .store }
    guard name.first?.isUppercase == true else { return nil }
    return endings.first { name.hasSuffix($0.ending) }?.role
  }
}
