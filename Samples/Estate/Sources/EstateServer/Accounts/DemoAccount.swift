/// The one account of the sample.
public enum DemoAccount {
  /// The name to log in with.
  public static let user = "demo"
  /// The password; in the open, since it guards nothing but a list of favourites in memory.
  public static let password = "open-house"

  static func accepts(user: String, password: String) -> Bool {
    user == self.user && password == self.password
  }
}
