/// Everything that libcurl is told about one transfer, beside ``HandleDefaults``.
///
/// A ``ReusableHandle`` keeps the description of its previous transfer and sets the parts that differ. The
/// compiler synthesizes the comparison, and a part that differs sets all of its options: an option that is
/// added to a part cannot keep the value of an earlier transfer.
struct TransferDescription: Equatable {
  /// What depends on the origin.
  let origin: OriginOptions
  /// What depends on the request.
  let exchange: ExchangeOptions
}
