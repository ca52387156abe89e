/// The only account of the sample.
package enum DemoAccount {
  package static let user = "demo"
  /// The password, which is not a secret: it protects a list of favourites in memory.
  package static let password = "open-house"

  static func accepts(user: String, password: String) -> Bool {
    user == self.user && password == self.password
  }
}
