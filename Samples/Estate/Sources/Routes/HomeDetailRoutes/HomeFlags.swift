public import FeatureFlags

/// What deployment documents can change about the screen of a home.
public enum HomeFlags {
  /// The words that follow a price, such as "asking price".
  public static let priceLabel = FeatureFlag("home.price-label", default: "")
}
