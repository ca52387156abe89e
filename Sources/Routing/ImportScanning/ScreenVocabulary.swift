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
    "FileDownload", "FileUpload", "HTTPClient", "NSURLConnection", "NSURLSession", "NWBrowser",
    "NWConnection",
    "NWListener", "Pipeline", "PipelineBuilder", "ReconnectingWebSocket", "URLConnection", "WebSocket",
  ]
  private static let stores: Set<String> = [
    "ActivityLog", "AppStorage", "FileHandle", "FileManager", "HTTPCookieStorage", "ModelContainer",
    "ModelContext", "MutationQueue", "NSCache", "NSManagedObjectContext", "NSPersistentContainer",
    "SceneStorage", "URLCache", "URLCredentialStorage", "UserDefaults",
  ]
  /// The endings of type names.
  private static let endings: [(ending: String, role: Role)] = [
    ("Dispatcher", .transport), ("Transport", .transport), ("Store", .store), ("Interceptor", .interceptor),
  ]

  private static let transportModules: Set<String> = [
    "Alamofire", "AsyncHTTPClient", "CLibcurl", "CurlTransport", "Downloads", "FoundationNetworking",
    "Network",
    "URLSessionTransport", "Uploads", "WebSocketCompression", "WebSockets",
  ]
  private static let storeModules: Set<String> = [
    "ActivityReporting", "CoreData", "GRDB", "LocalStores", "NonceStores", "OfflineMutations", "RealmSwift",
    "SQLite3", "SQLiteStores", "SwiftData", "ValkeyStores",
  ]
  /// The modules of the library that contain interceptors.
  static let interceptorModules: Set<String> = [
    "BodyCompression", "CookieKeeping", "DNSBypass", "MessageSignatures", "RateLimiting", "RedirectFollowing",
    "RequestAuthorization", "RequestLogging", "RequestMerging", "RequestRetry", "RequestSharing",
    "RequestSigning", "RequestTelemetry", "RequestValidation", "ResponseCaching", "VendorSignatures",
  ]

  /// The roles by name; a nested type has the name `Owner.Name`.
  private let declared: [String: Role]
  /// The full names of all nested types.
  private let nested: Set<String>
  private let items: Set<String>

  /// Reads the declarations that a file sees.
  ///
  /// - Parameters:
  ///   - file: The file that names types; its own declarations come before those of other files.
  ///   - visible: The declarations of the module and of the local targets that it uses.
  ///   - items: The types of the module's items, whose names alone make none of them a store: a
  ///     `GroceryStore` is an item.
  init(of file: SourceOutline, seeing visible: [SourceOutline.Declaration], items: Set<String>) {
    let hidden = file.privateNames
    let declarations =
      visible.filter { !hidden.contains($0.enclosing.first ?? $0.name) } + file.declarations
    nested = Set(
      declarations.lazy.filter { $0.kind != .extension && !$0.enclosing.isEmpty }.map(Self.fullName))
    var dependents: [String: [String]] = [:]
    for declaration in declarations {
      let name = Self.fullName(declaration)
      for base in declaration.bases where base != declaration.name {
        dependents[base, default: []].append(name)
        // Inside its owner a nested type is named alone.
        for owner in declaration.enclosing { dependents["\(owner).\(base)", default: []].append(name) }
      }
      for (owner, base) in zip(declaration.bases, declaration.bases.dropFirst()) {
        dependents["\(owner).\(base)", default: []].append(name)
      }
    }
    var declared: [String: Role] = [:]
    var rest: [(name: String, role: Role)] = []
    for base in dependents.keys.sorted() where !items.contains(base) && !hidden.contains(base) {
      if !base.contains("."), let role = Self.role(ofType: base) { rest.append((base, role)) }
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

  private static func fullName(_ declaration: SourceOutline.Declaration) -> String {
    declaration.enclosing.last.map { "\($0).\(declaration.name)" } ?? declaration.name
  }

  /// Returns what a name stands for, if a screen may not use it.
  func role(of use: SourceOutline.Use) -> Role? {
    if use.isMember, use.name == "dispatcher" { return .transport }
    let owners = use.isMember ? [use.qualifier].compactMap(\.self) : use.enclosing.reversed()
    let inner = owners.lazy.map { "\($0).\(use.name)" }.first { nested.contains($0) }
    return role(ofFull: inner ?? use.name, use.name)
  }

  /// Returns what a declared type is, if a screen's file may not declare it.
  func role(of declaration: SourceOutline.Declaration) -> Role? {
    role(ofFull: Self.fullName(declaration), declaration.name)
  }

  private func role(ofFull full: String, _ name: String) -> Role? {
    declared[full] ?? (items.contains(name) ? nil : Self.role(ofType: name))
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
