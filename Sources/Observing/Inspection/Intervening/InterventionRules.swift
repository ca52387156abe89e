import Interception

/// The rules of an ``InterventionInterceptor``, in the order in which they apply, in code or in a file.
///
/// A file is JSON, to be edited by hand and committed:
///
/// ```json
/// {
///   "version": 1,
///   "rules": [
///     {
///       "name": "Late at night", "match": {"host": "api.estate.test"}, "delay": 1.5
///     },
///     {
///       "name": "No homes", "match": {"method": "GET", "path": "/v1/homes*"},
///       "answer": {"status": 200, "json": {"homes": []}}
///     },
///     {
///       "name": "The login fails once", "match": {"service": "estate", "api": "login"}, "times": 1,
///       "fail": "timeout_idle"
///     },
///     {"name": "Train", "on": false, "match": {}, "network": "slow-3g"}
///   ]
/// }
/// ```
///
/// A rule has a `name`, a `match` and one action. `on` is true and `times` unlimited if they are missing. A
/// match has patterns: `method`, `host`, `path`, `service`, `api`, and `query`, an object of names and the
/// patterns of their values. The actions are:
///
/// - `answer`: an object with `status`, 200 by default, `fields`, an object of strings or arrays of strings,
///   the content as `json`, `text`, `base64` or `file`, which is a path within the folder of the rules, and
///   `storable`, false by default. Or the response of a recorded call: `har`, the path of an archive, such as
///   that of an inspector or a browser, and `entry`, its number from 0.
/// - `fail`: the label of an error, such as `offline`, `resolve`, `connect`, `transport`, `tls_expired` or
///   `timeout_idle`.
/// - `delay`: a number of seconds.
/// - `network`: `offline`, `slow-3g`, `3g`, `4g` or `lossy`, or an object with `latency` in seconds, `sent`
///   and `received` in bytes per second, `loss` from 0 to 1, `seed` and `name`.
/// - `pause`: `request` or `response`.
public struct InterventionRules: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The version of the format.
  static let version = 1
  /// The maximum number of rules.
  static let maximumCount = 200
  /// The maximum length of a file of rules, and of a file with the content of an answer, in bytes.
  static let maximumFileLength = 1 << 20
  static let maximumDepth = 64

  /// The rules, in the order in which they apply.
  public var rules: [InterventionRule]

  /// Creates rules from a list.
  public init(_ rules: [InterventionRule] = []) { self.rules = rules }

  /// Creates rules from a literal.
  public init(arrayLiteral rules: InterventionRule...) { self.rules = rules }

  /// Reads the rules of a file.
  ///
  /// - Throws: ``InterventionError``, which lists all faults with their lines.
  public init(contentsOf path: String) throws(InterventionError) {
    let content: [UInt8]?
    do throws(WholeFileFault) {
      content = try WholeFile(path: path).bytes(upTo: Self.maximumFileLength)
    } catch {
      throw InterventionError(.unreadable(error.reason), path: path)
    }
    guard let content else {
      throw InterventionError(
        .unreadable("there is no such file; create it, or correct the path"), path: path)
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    try self.init(json: content, folder: folder, path: path)
  }

  /// Reads rules from JSON in UTF-8.
  ///
  /// - Throws: ``InterventionError``, which lists all faults with their lines. The `file` of an answer is
  ///   one, because there is no folder.
  public init(json: [UInt8]) throws(InterventionError) { try self.init(json: json, folder: nil, path: nil) }

  private init(json: [UInt8], folder: String?, path: String?) throws(InterventionError) {
    var reader = InterventionReader(bytes: json, folder: folder)
    let rules = reader.read()
    guard reader.faults.isEmpty else { throw InterventionError(.faults(reader.faults), path: path) }
    self.init(rules)
  }

  /// The rules as JSON in UTF-8, in the format of a file.
  public var json: [UInt8] { InterventionWriter.document(of: rules) }
}
