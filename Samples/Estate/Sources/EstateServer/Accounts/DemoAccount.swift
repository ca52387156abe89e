/// The only account of the sample.
public enum DemoAccount {
  /// The user name.
  public static let user = "demo"
  /// The password, which is not a secret: it protects a list of favourites in memory.
  public static let password = "open-house"

  static func accepts(user: String, password: String) -> Bool {
    user == self.user && password == self.password
  }
}
